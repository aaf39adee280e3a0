import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import type { Run } from '../src/home/core/run.ts';
import { runInProcess } from './support/in-process.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1, 2);
const BENCHMARKS = 8;
const NOISE = [0, 0.01, -0.01, 0.005, -0.005, 0.002, 0.008];

interface Night {
  readonly machineId?: string;
  readonly origin?: Run['origin'];
  /** What each benchmark takes there, as a factor of its usual time. */
  readonly factors: readonly number[];
}

/** A home with a night each day, whose benchmarks have a little noise. */
async function homeOf(t: TestContext, nights: readonly Night[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-hardware-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(homeLayout(home).own, { recursive: true });
  writeFileSync(join(home, 'nightmark.yml'), 'project: machines\n');
  const store = await openSqliteStore(homeLayout(home).index);
  for (const [id, cpu] of [
    ['m1', 'Xeon'],
    ['m2', 'EPYC'],
  ] as const)
    await store.saveMachine({ id, name: `bench-${id}`, facts: { cpu, cores: 8, kernel: '6.1' } });
  await store.saveMachine({ id: 'm1b', name: 'bench-m1', facts: { cpu: 'Xeon', cores: 8, kernel: '6.5' } });
  for (const [index, { machineId, origin = 'measured', factors }] of nights.entries()) {
    const [runId, startedAt] = [`n${String(index).padStart(3, '0')}`, FIRST + index * DAY_MS];
    await store.saveRun({
      ...{ id: runId, kind: 'night', project: 'machines', label: runId, state: 'finished', startedAt },
      ...{ endedAt: startedAt + 1, order: [], origin, warnings: [], ...(machineId && { machineId }) },
    });
    const values = Array.from({ length: BENCHMARKS }, (_, place) => ({
      ...{ experiment: 'suite', path: [`b${place}`, 'time'], unit: 's', better: 'lower' as const },
      value: (1 + place) * (factors[place] ?? 1) * (1 + (NOISE[(index * 3 + place) % NOISE.length] ?? 0)),
    }));
    await store.saveValues({ runId, task: 'suite', at: startedAt, values });
  }
  store.close();
  return home;
}

const at = (count: number, night: Night): Night[] => Array.from({ length: count }, () => night);
const usual = Array(BENCHMARKS).fill(1);
/** Another processor is faster at some things and slower at others. */
const other = [2.4, 1.3, 0.7, 3.1, 1.8, 0.9, 8.8, 1.5];

async function changesOf(home: string) {
  const { stdout } = await runInProcess(['changes', home, '--json', '--state', 'all']);
  return JSON.parse(stdout) as {
    openRegressions: number;
    changes: { id: string; state: string; hardware?: string; series: { kind: string; path?: string[] } }[];
  };
}

test('the first night on another machine is one event, and no change of its series', async (t) => {
  const home = await homeOf(t, [
    ...at(20, { machineId: 'm1', factors: usual }),
    ...at(1, { machineId: 'm2', factors: other }),
  ]);
  const { changes, openRegressions } = await changesOf(home);
  assert.deepEqual(
    changes.map(({ state, hardware }) => [state, hardware]),
    [['expected', 'EPYC, 8 cores']],
  );
  assert.equal(openRegressions, 0);
});

test('on the other machine values are compared with their own kind, and changes there are found', async (t) => {
  const home = await homeOf(t, [
    ...at(20, { machineId: 'm1', factors: usual }),
    ...at(10, { machineId: 'm2', factors: other }),
    ...at(6, {
      machineId: 'm2',
      factors: other.map((factor, place) => (place === 2 ? factor * 1.2 : factor)),
    }),
  ]);
  const { changes } = await changesOf(home);
  assert.deepEqual(
    changes.map(({ series }) => series.path?.[0] ?? series.kind),
    ['b2', 'machine'],
  );
});

test('machines that take turns are judged apart', async (t) => {
  const turns = Array.from({ length: 40 }, (_, night): Night => {
    return night % 2 === 0
      ? { machineId: 'm1', factors: usual }
      : { machineId: 'm2', factors: night < 25 ? other : other.map((factor) => factor * 1.0001) };
  });
  const slower = { machineId: 'm1', factors: usual.map((_, place) => (place === 5 ? 1.3 : 1)) };
  const home = await homeOf(t, [
    ...turns,
    slower,
    { machineId: 'm2', factors: other },
    slower,
    slower,
    slower,
  ]);
  const { changes } = await changesOf(home);
  assert.deepEqual(changes.map(({ series }) => series.path?.[0] ?? series.kind).sort(), ['b5', 'machine']);
});

test('values without a machine are compared with those of a machine, unless most of them moved', async (t) => {
  const same = await homeOf(t, [
    ...at(20, { factors: usual }),
    ...at(5, { machineId: 'm1', factors: usual.map((_, place) => (place === 0 ? 1.3 : 1)) }),
  ]);
  assert.deepEqual(
    (await changesOf(same)).changes.map(({ series }) => series.path?.[0] ?? series.kind),
    ['b0'],
  );
  const moved = await homeOf(t, [
    ...at(20, { factors: usual }),
    ...at(1, { machineId: 'm1', factors: other }),
  ]);
  assert.deepEqual(
    (await changesOf(moved)).changes.map(({ hardware }) => hardware),
    ['Xeon, 8 cores'],
  );
});

test('example data and a new kernel: the one is another machine, the other is not', async (t) => {
  const example = await homeOf(t, [
    ...at(20, { origin: 'example', factors: usual }),
    ...at(1, { machineId: 'm1', factors: other }),
  ]);
  assert.deepEqual(
    (await changesOf(example)).changes.map(({ hardware }) => hardware),
    ['Xeon, 8 cores'],
  );
  const kernel = await homeOf(t, [
    ...at(20, { machineId: 'm1', factors: usual }),
    ...at(6, { machineId: 'm1b', factors: usual.map((_, place) => (place === 1 ? 1.2 : 1)) }),
  ]);
  assert.deepEqual(
    (await changesOf(kernel)).changes.map(({ series }) => series.path?.[0]),
    ['b1'],
  );
});

test('who says that it is the same machine gets the changes of its series', async (t) => {
  const home = await homeOf(t, [
    ...at(20, { machineId: 'm1', factors: usual }),
    ...at(6, { machineId: 'm2', factors: other }),
  ]);
  const [event] = (await changesOf(home)).changes;
  await runInProcess(['changes', 'triage', event?.id ?? '', '--state', 'false', '--home', home]);
  await runInProcess(['changes', home, '--judge']);
  const { changes } = await changesOf(home);
  assert.equal(changes.filter(({ series }) => series.kind === 'value').length, BENCHMARKS);
});
