import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSensorsJson, readSensorsText, sensorsTelemetry } from './sensors.ts';

const fixtures = join(process.cwd(), 'src/home/adapters/telemetry/sensors/fixtures');
const fixture = (name: string) => readFileSync(join(fixtures, name), 'utf8');
const lines = (readings: ReturnType<typeof readSensorsText> | undefined) =>
  readings?.map(({ group, label, value, unit }) => `${group} | ${label} | ${value} ${unit}`.trim());

/** A program of ours in the place of sensors. */
async function sampler(t: TestContext, script: string, timeoutMs = 10_000) {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-sensors-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'sensors'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const opened = await sensorsTelemetry({ searchPath: dir, timeoutMs }).open();
  assert.ok(opened.state === 'open');
  return { dir, sampler: opened };
}

test('reads the JSON form: inputs and averages with their units, no limits and no alarms', () => {
  assert.deepEqual(lines(readSensorsJson(fixture('desktop.json'))), [
    'k10temp-pci-00c3 | Tctl | 41.5 °C',
    'k10temp-pci-00c3 | Tccd1 | 39.25 °C',
    'coretemp-isa-0000 | Package id 0 | 45 °C',
    'coretemp-isa-0000 | Core 0 | 40 °C',
    'coretemp-isa-0000 | Core 1 | 43 °C',
    'nct6798-isa-0290 | in0 | 0.856 V',
    'nct6798-isa-0290 | fan1 | 1203 RPM',
    'amdgpu-pci-0b00 | PPT | 12 W',
  ]);
});

test('reads JSON that sensors broke at a chip without an answer', () => {
  assert.deepEqual(lines(readSensorsJson(fixture('silent-chip.json'))), [
    'nvme-pci-0100 | Composite | 35.85 °C',
  ]);
});

test('reads the text form: labels of two words stay whole, N/A and alarms are left out', () => {
  assert.deepEqual(lines(readSensorsText(fixture('desktop.txt'))), [
    'k10temp-pci-00c3 | Tctl | 41.5 °C',
    'k10temp-pci-00c3 | Tccd1 | 39.2 °C',
    'coretemp-isa-0000 | Package id 0 | 45 °C',
    'coretemp-isa-0000 | Core 0 | 40 °C',
    'coretemp-isa-0000 | Core 1 | 43 °C',
    'nct6798-isa-0290 | in0 | 0.856 V',
    'nct6798-isa-0290 | +12V | 12.1 V',
    'nct6798-isa-0290 | fan2 | 1203 RPM',
    'nct6798-isa-0290 | temp1 | 30 °C',
  ]);
});

test('finds nothing in foreign output', () => {
  for (const text of [
    '',
    '\n\n',
    'Usage: sensors [OPTION]...',
    'a: 1\nb: 2',
    '\0\0\0',
    'chip\nAdapter: x\n::::\n: 5',
  ]) {
    assert.deepEqual(readSensorsText(text), [], JSON.stringify(text));
  }
  for (const text of ['', '[1', '"x"', '3']) assert.equal(readSensorsJson(text), undefined);
  assert.deepEqual(readSensorsJson('{"a": 3, "b": {"c": {"temp1_input": "hot"}, "d": null}}'), []);
});

test('reads the text form of a program that prints it although JSON was requested', async (t) => {
  const { sampler: source } = await sampler(t, `cat '${fixtures}/desktop.txt'`);
  assert.equal((await source.sample()).length, 9);
});

test('asks a program without -j again, and only once with -j', async (t) => {
  const { dir, sampler: source } = await sampler(
    t,
    `echo "$#" >> "$0.calls"; [ $# -eq 0 ] || { echo "invalid option -- 'j'" >&2; exit 1; }; cat '${fixtures}/desktop.txt'`,
  );
  assert.equal((await source.sample()).length, 9);
  assert.equal((await source.sample()).length, 9);
  assert.equal(readFileSync(join(dir, 'sensors.calls'), 'utf8'), '1\n0\n0\n');
});

test('gives the reason where there is no reading', async (t) => {
  const silent = await sampler(t, 'echo "No sensors found!" >&2; exit 1');
  await assert.rejects(silent.sampler.sample(), { message: 'No sensors found!' });
  const empty = await sampler(t, 'echo "{}"');
  await assert.rejects(empty.sampler.sample(), { message: 'no reading in its output (exit code 0)' });
});

test('ends a program that hangs, with its children', async (t) => {
  const { dir, sampler: source } = await sampler(t, 'sleep 600 & echo $! > "$0.pid"; wait', 300);
  await assert.rejects(source.sample(), { message: 'no answer within 0.3 s' });
  await gone(Number(readFileSync(join(dir, 'sensors.pid'), 'utf8')));
});

test('ends a program that never stops printing', async (t) => {
  const { sampler: source } = await sampler(t, 'yes 123456789012345678901234567890');
  await assert.rejects(source.sample(), { message: 'more than 4194304 characters of output' });
});

test('is missing without the program, and with a folder of its name', async () => {
  assert.deepEqual(await sensorsTelemetry({ searchPath: '/nonexistent:' }).open(), {
    state: 'missing',
    reason: 'not found',
  });
  assert.equal((await sensorsTelemetry({ program: tmpdir() }).open()).state, 'missing');
});

/** A killed process whose parent is gone may wait a moment as a zombie for init. */
async function gone(pid: number): Promise<void> {
  for (let looks = 0; looks < 3000; looks++) {
    try {
      if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`process ${pid} is still there`);
}
