import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import type { FollowedChange } from '../src/home/core/changes/change-ledger.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import { normalQuantile } from '../src/stats/distributions.ts';
import { seededRandom } from '../src/stats/random.ts';
import { runInProcess } from './support/in-process.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1, 2);

interface Experiment {
  readonly name: string;
  readonly series: number;
  /** Series from the first on that are a tenth slower from the fourth night on. */
  readonly slower: number;
}

const MANY: Experiment = { name: 'many', series: 200, slower: 20 };

function makeHome(t: TestContext): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'nightmark-pooled-noise-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(homeLayout(home).own, { recursive: true });
  writeFileSync(join(home, 'nightmark.yml'), 'project: young\n');
  return home;
}

/** Each series has noise of its own, between 0.3 and 2 %. */
async function saveNight(home: string, night: number, experiments: readonly Experiment[]): Promise<void> {
  const random = seededRandom(100 + night);
  const store = await openSqliteStore(homeLayout(home).index);
  const [runId, startedAt] = [`n${night}`, FIRST + night * DAY_MS];
  await store.saveMachine({ id: 'f00d', name: 'bench-1', facts: {} });
  await store.saveRun({
    ...{ id: runId, kind: 'night', project: 'young', label: runId, state: 'finished', startedAt },
    ...{ endedAt: startedAt + 1, machineId: 'f00d', order: [], origin: 'measured', warnings: [] },
  });
  for (const { name, series, slower } of experiments) {
    const trial = { runId, task: name, kind: 'experiment', state: 'succeeded' } as const;
    await store.saveTrials([{ ...trial, message: '', commits: {} }]);
    const values = Array.from({ length: series }, (_, place) => {
      const noise = 0.003 * (0.02 / 0.003) ** ((place % 10) / 9);
      const level = place < slower && night >= 3 ? 55 : 50;
      const value = level * (1 + noise * normalQuantile(Math.max(1e-9, random())));
      return { experiment: name, path: [`s${place}`, 'time'], unit: 's', better: 'lower', value } as const;
    });
    await store.saveValues({ runId, task: name, at: startedAt, values });
  }
  store.close();
}

async function saveNights(home: string, nights: number, experiments: readonly Experiment[]): Promise<void> {
  for (let night = 0; night < nights; night++) await saveNight(home, night, experiments);
}

async function changesOf(home: string) {
  const { stdout, code } = await runInProcess(['changes', home, '--json', '--limit', '1000']);
  const { changes } = JSON.parse(stdout) as { changes: readonly FollowedChange[] };
  const names = changes.flatMap(({ series }) => (series.kind === 'value' ? [series.path[0] ?? ''] : []));
  return { names, code };
}

const isSlower = (name: string) => Number(name.slice(1)) < 20;

test('after three nights, series of an experiment show each other their noise, and a tenth more is seen', async (t) => {
  const home = makeHome(t);
  await saveNights(home, 4, [MANY]);
  const { names } = await changesOf(home);
  const right = names.filter(isSlower);
  assert.ok(right.length >= 12, `${names}`);
  assert.ok(names.length - right.length <= 1, `${names}`);
  // Another night at the same level: what was found is borne out, not withdrawn.
  await saveNight(home, 4, [MANY]);
  await runInProcess(['changes', home, '--judge']);
  const later = await changesOf(home);
  for (const name of right) assert.ok(later.names.includes(name), `${name} is gone: ${later.names}`);
});

test('series of other experiments show nothing of the noise of a short one', async (t) => {
  const home = makeHome(t);
  await saveNights(
    home,
    4,
    Array.from({ length: 3 }, (_, place) => ({ name: `e${place}`, series: 1, slower: 1 })),
  );
  assert.deepEqual((await changesOf(home)).names, []);
});
