import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import localDisk from '../../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../../platform/adapters/system-clock.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { readTelemetryFile } from '../../core/machine/telemetry-file.ts';
import type { Reading, TelemetrySource } from '../../core/machine/telemetry-source.ts';
import { fileNames, startTelemetry, type TelemetryRequest } from './record-telemetry.ts';

const label = '01-05-2026-0307';

function harness(t: TestContext, sources: readonly TelemetrySource[]) {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-telemetry-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const request: TelemetryRequest = {
    experiment: 'sort',
    switches: { cpu: true, gpu: true, rateSeconds: 1 },
    textDir: (kind) => join(dir, 'raw/telemetry/sort', kind),
    jsonFile: (kind) => join(dir, 'json', kind, `${kind}-${label}.json`),
    label,
  };
  const time = steppedClock();
  const abort = new AbortController();
  const effects = { sources, disk: localDisk, clock: time.clock, signal: abort.signal };
  const read = (path: string) => readFileSync(join(dir, path), 'utf8');
  return { dir, request, time, abort, effects, read };
}

/** A clock that goes on only when told; sleepers wake when their time has come. */
function steppedClock() {
  let nowMs = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const clock: Clock = {
    ...systemClock,
    now: () => 1_000_000 + nowMs,
    micros: () => nowMs * 1000,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          resolve();
        };
        const sleeper = { at: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      }),
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    async step(ms: number) {
      await settle();
      nowMs += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= nowMs) sleeper.wake();
      await settle();
    },
  };
}

function source(
  id: string,
  kind: 'cpu' | 'gpu',
  sample: (count: number) => readonly Reading[] | Promise<readonly Reading[]>,
): TelemetrySource {
  let count = 0;
  return {
    id,
    title: id,
    switch: kind,
    open: async () => ({ state: 'open', sample: async () => sample(count++) }),
  };
}

const missing = (id: string, kind: 'cpu' | 'gpu'): TelemetrySource => ({
  id,
  title: id,
  switch: kind,
  open: async () => ({ state: 'missing', reason: 'not found' }),
});

const gpus = (labels: readonly string[]) =>
  source('nvidia-smi', 'gpu', () =>
    labels.flatMap((gpu) => [
      { group: 'clocks.gr', label: gpu, value: 300, unit: 'MHz' },
      { group: 'pstate', label: gpu, value: 'P8', unit: '' },
    ]),
  );

test('takes the first sample at once and once, then one at each multiple of the rate', async (t) => {
  const { request, effects, time, read } = harness(t, [freshChip(), gpus(['0'])]);
  const recording = await startTelemetry(request, effects);
  await time.step(1000);
  await time.step(1000);
  await time.step(600);
  const { columns, notes } = await recording.stop();

  assert.deepEqual(notes, []);
  assert.equal(
    read(`json/cpu/cpu-${label}.json`),
    `{"timestamp": "${label}", "k10temp-pci-00c3": {"Tctl": [[0, 41.5], [1, 42.5], [2, 43.5]], "Core 0": [[0, 40], [1, 40], [2, 40]]}}`,
  );
  assert.equal(
    read(`json/gpu/gpu-${label}.json`),
    `{"timestamp": "${label}", "clocks.gr": {"data": [[0, 300], [1, 300], [2, 300]], "unit": "MHz"}, "pstate": {"data": [[0, "P8"], [1, "P8"], [2, "P8"]], "unit": null}}`,
  );
  assert.equal(
    read('raw/telemetry/sort/cpu/k10temp-pci-00c3'),
    '0 Tctl 41.5\n0 Core 0 40\n1 Tctl 42.5\n1 Core 0 40\n2 Tctl 43.5\n2 Core 0 40\n',
  );
  assert.equal(read('raw/telemetry/sort/gpu/clocks.gr'), '0 300 MHz\n1 300 MHz\n2 300 MHz\n');
  assert.equal(read('raw/telemetry/sort/gpu/pstate'), '0 P8\n1 P8\n2 P8\n');
  assert.deepEqual(columns[0], {
    name: 'cpu.k10temp-pci-00c3',
    tags: { experiment: 'sort', label: 'Tctl' },
    unit: '°C',
    times: Float64Array.of(1_000_000, 1_001_000, 1_002_000),
    values: Float64Array.of(41.5, 42.5, 43.5),
  });
  assert.deepEqual(columns.at(-1)?.values, Float64Array.of(8, 8, 8), 'P8 as a number');
});

test('gives the same series as a reading of its files, but for units the files have no room for', async (t) => {
  const { request, effects, time, read } = harness(t, [freshChip(), gpus(['0', '1'])]);
  const recording = await startTelemetry(request, effects);
  await time.step(1000);
  const { columns } = await recording.stop();
  const origin = { experiment: 'sort', startedAt: 1_000_000 };
  const reread = (['cpu', 'gpu'] as const).flatMap(
    (kind) => readTelemetryFile(read(`json/${kind}/${kind}-${label}.json`), { kind, ...origin }).columns,
  );
  const withoutUnits = (list: typeof columns) => list.map((column) => ({ ...column, unit: '' }));
  assert.deepEqual(withoutUnits(reread), withoutUnits(columns));
});

test('gives each of several GPUs files of its own', async (t) => {
  const { dir, request, effects, time, read } = harness(t, [gpus(['0', '1'])]);
  const recording = await startTelemetry(request, effects);
  await time.step(0);
  await recording.stop();
  assert.deepEqual(readdirSync(join(dir, 'raw/telemetry/sort/gpu')), [
    'gpu0.clocks.gr',
    'gpu0.pstate',
    'gpu1.clocks.gr',
    'gpu1.pstate',
  ]);
  assert.match(
    read(`json/gpu/gpu-${label}.json`),
    /"gpu1\.clocks\.gr": \{"data": \[\[0, 300\]\], "unit": "MHz"\}/,
  );
});

test('records and writes nothing when it is switched off', async (t) => {
  const off = [
    { cpu: true, gpu: true, rateSeconds: 0 },
    { cpu: true, gpu: true, rateSeconds: -1 },
    { cpu: true, gpu: true, rateSeconds: Number.NaN },
    { cpu: false, gpu: false, rateSeconds: 1 },
  ];
  for (const switches of off) {
    const { dir, request, effects } = harness(t, [freshChip()]);
    const recording = await startTelemetry({ ...request, switches }, effects);
    assert.deepEqual(await recording.stop(), { columns: [], notes: [] });
    assert.deepEqual(readdirSync(dir), []);
  }
});

test('asks only the sources of the switch that is on, and writes both JSON files', async (t) => {
  const { request, effects, time, dir, read } = harness(t, [freshChip(), gpus(['0'])]);
  const switches = { cpu: true, gpu: false, rateSeconds: 1 };
  const recording = await startTelemetry({ ...request, switches }, effects);
  await time.step(0);
  const { notes } = await recording.stop();
  assert.deepEqual(notes, []);
  assert.equal(read(`json/gpu/gpu-${label}.json`), `{"timestamp": "${label}"}`);
  assert.ok(!existsSync(join(dir, 'raw/telemetry/sort/gpu')));
});

test('notes a source that is missing and keeps the rest', async (t) => {
  const { request, effects, time } = harness(t, [
    missing('proc', 'cpu'),
    freshChip(),
    missing('nvidia-smi', 'gpu'),
  ]);
  const recording = await startTelemetry(request, effects);
  await time.step(0);
  const { notes, columns } = await recording.stop();
  assert.deepEqual(notes, [
    'proc: not found; its readings are left out',
    'nvidia-smi: not found; GPU telemetry is left out',
  ]);
  assert.equal(columns.length, 2);
});

test('loses the sample that fails, not the source', async (t) => {
  const shaky = source('sensors', 'cpu', (count) => {
    if (count === 1) throw new Error('bus error');
    return [{ group: 'g', label: 'l', value: count, unit: '' }];
  });
  const broken = source('nvidia-smi', 'gpu', () => Promise.reject(new Error('exit code 9')));
  const { request, effects, time, read } = harness(t, [shaky, broken]);
  const recording = await startTelemetry(request, effects);
  await time.step(1000);
  await time.step(1000);
  const { notes } = await recording.stop();
  assert.equal(read('raw/telemetry/sort/cpu/g'), '0 l 0\n2 l 2\n');
  assert.deepEqual(notes, [
    'sensors: 1 of 3 samples failed: bus error',
    'nvidia-smi: exit code 9; GPU telemetry is left out',
  ]);
});

test('does not wait for a source that hangs, and closes it', async (t) => {
  let closed = 0;
  const hanging: TelemetrySource = {
    id: 'nvidia-smi',
    title: 'hangs',
    switch: 'gpu',
    open: async () => ({ state: 'open', sample: () => new Promise(() => {}), close: () => void closed++ }),
  };
  const silent: TelemetrySource = { id: 'slow', title: '', switch: 'cpu', open: () => new Promise(() => {}) };
  const { request, effects, time, read } = harness(t, [hanging, silent, freshChip()]);
  const recording = await startTelemetry(request, effects);
  await time.step(1000);
  const stopped = recording.stop();
  await time.step(200);
  const { notes } = await stopped;
  assert.equal(closed, 1);
  assert.deepEqual(notes, [
    'slow: no answer before the end; its readings are left out',
    'nvidia-smi: no answer before the end; GPU telemetry is left out',
  ]);
  assert.equal(read('raw/telemetry/sort/cpu/k10temp-pci-00c3').split('\n').length, 5);
});

test('leaves out the moments that a slow sample missed, and measures when samples were taken', async (t) => {
  let answer: ((readings: readonly Reading[]) => void) | undefined;
  const slow = source('sensors', 'cpu', () => new Promise((resolve) => (answer = resolve)));
  const { request, effects, time, read } = harness(t, [slow]);
  const reading = [{ group: 'g', label: 'l', value: 1, unit: '' }];
  const recording = await startTelemetry(request, effects);
  await time.step(3250);
  answer?.(reading);
  await time.step(750);
  answer?.(reading);
  await time.step(0);
  await recording.stop();
  assert.equal(read('raw/telemetry/sort/cpu/g'), '0 l 1\n4 l 1\n');
});

test('takes no more samples after a cancel, and still writes what it has', async (t) => {
  const { request, effects, time, abort, read } = harness(t, [freshChip()]);
  const recording = await startTelemetry(request, effects);
  await time.step(0);
  abort.abort();
  await time.step(5000);
  await recording.stop();
  assert.equal(read('raw/telemetry/sort/cpu/k10temp-pci-00c3'), '0 Tctl 41.5\n0 Core 0 40\n');
});

test('writes groups with hostile names inside of their folder', async (t) => {
  const hostile = source('sensors', 'cpu', () => [
    { group: '../../../escape', label: 'a\nb', value: 1, unit: '' },
    { group: 'timestamp', label: 'x', value: 2, unit: '' },
    { group: '__proto__', label: '__proto__', value: 3, unit: '' },
    { group: 'bad', label: 'nan', value: Number.NaN, unit: '' },
  ]);
  const { dir, request, effects, time, read } = harness(t, [hostile]);
  const recording = await startTelemetry(request, effects);
  await time.step(0);
  await recording.stop();
  assert.deepEqual(readdirSync(join(dir, 'raw/telemetry/sort/cpu')), [
    '_._.._.._escape',
    '__proto__',
    'timestamp_',
  ]);
  assert.equal(read('raw/telemetry/sort/cpu/_._.._.._escape'), '0 a b 1\n');
  assert.equal(
    read(`json/cpu/cpu-${label}.json`),
    `{"timestamp": "${label}", "../../../escape": {"a\\nb": [[0, 1]]}, "timestamp_": {"x": [[0, 2]]}, "__proto__": {"__proto__": [[0, 3]]}}`,
  );
});

test('keeps thousands of samples', async (t) => {
  const { request, effects, time, read } = harness(t, [freshChip()]);
  const recording = await startTelemetry(request, effects);
  for (let count = 0; count < 3000; count++) await time.step(1000);
  const { columns } = await recording.stop();
  assert.equal(columns[0]?.values.length, 3001);
  assert.equal(columns[0]?.values[3000], 3041.5);
  assert.match(read('raw/telemetry/sort/cpu/k10temp-pci-00c3'), /\n3000 Tctl 3041.5\n3000 Core 0 40\n$/);
});

test('turns a disk that refuses into a note', async (t) => {
  const { dir, request, effects, time } = harness(t, [freshChip()]);
  writeFileSync(join(dir, 'raw'), 'a file where a folder should be');
  const recording = await startTelemetry(request, effects);
  await time.step(0);
  const { notes, columns } = await recording.stop();
  assert.equal(columns.length, 2);
  assert.equal(notes.length, 2);
  assert.match(
    notes[1] ?? '',
    /^telemetry: its files are incomplete: .*raw\/telemetry\/sort\/cpu\/k10temp-pci-00c3/,
  );
});

test('samples at most ten times a second, with a note', async (t) => {
  const { request, effects, time, read } = harness(t, [freshChip()]);
  const switches = { cpu: true, gpu: false, rateSeconds: 0.001 };
  const recording = await startTelemetry({ ...request, switches }, effects);
  await time.step(50);
  await time.step(50);
  const { notes } = await recording.stop();
  assert.deepEqual(notes, ['telemetry: the shortest interval is 0.1 s; 0.001 s was requested']);
  assert.equal(read('raw/telemetry/sort/cpu/k10temp-pci-00c3').split('\n').length, 5);
});

/** A chip that counts from the beginning. */
function freshChip(): TelemetrySource {
  return source('sensors', 'cpu', (count) => [
    { group: 'k10temp-pci-00c3', label: 'Tctl', value: 41.5 + count, unit: '°C' },
    { group: 'k10temp-pci-00c3', label: 'Core 0', value: 40, unit: '°C' },
  ]);
}

test('keeps the names that chips really have', () => {
  assert.deepEqual(fileNames(['k10temp-pci-00c3', 'clocks.gr', 'gpu1.memory.used']), [
    'k10temp-pci-00c3',
    'clocks.gr',
    'gpu1.memory.used',
  ]);
});

test('makes every name one that stays in its folder and can be written', () => {
  const names = fileNames(['..', '.', '', '../../etc/passwd', '/', 'a\nb\0c', '.hidden']);
  assert.deepEqual(names, ['_.', '_', '_-2', '_._.._etc_passwd', '_-3', 'a_b_c', '_hidden']);
});

test('gives different names to groups that differ only in what was replaced or in case', () => {
  assert.deepEqual(fileNames(['a/b', 'a_b', 'A_B']), ['a_b', 'a_b-2', 'A_B-3']);
});

test('shortens names without end, counted in bytes', () => {
  const [ascii = '', wide = ''] = fileNames(['x'.repeat(10_000), '温'.repeat(10_000)]);
  assert.equal(ascii.length, 120);
  assert.equal(new TextEncoder().encode(wide).length, 90);
});
