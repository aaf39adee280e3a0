import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runInProcess } from '../support/in-process.ts';

const EXPERIMENTS = ['sort', 'parse', 'gzip', 'json', 'regex', 'tree'];
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Six experiments with five times each; `slower` multiplies all of them, `own` single ones. */
function newHome(t: TestContext, experiments = EXPERIMENTS) {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-machine-')));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  const definition = experiments.map(
    (name) => `  ${name}:
    run: cat values/${name}
    telemetry: false
    results: {format: json, value: [${NAMES.join(', ')}], unit: s, better: lower}\n`,
  );
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}\nexperiments:\n${definition.join('')}`,
  );
  const random = seededRandom(7);
  const noisy = (value: number) => value * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));
  const values = (slower: number, own: Readonly<Record<string, number>>, experiment: string) =>
    JSON.stringify(
      Object.fromEntries(
        NAMES.map((name, at) => [name, noisy((at + 1) * slower * (own[`${experiment}/${name}`] ?? 1))]),
      ),
    );
  for (const experiment of experiments) {
    const data = join(home, 'results/experiments/data', experiment);
    fs.mkdirSync(data, { recursive: true });
    for (let day = 1; day <= 20; day++)
      fs.writeFileSync(
        join(data, `data_01-${String(day).padStart(2, '0')}-2026-0300.json`),
        values(1, {}, experiment),
      );
  }
  fs.mkdirSync(join(home, 'values'));
  const night = async (slower: number, own: Readonly<Record<string, number>> = {}) => {
    for (const experiment of experiments)
      fs.writeFileSync(join(home, 'values', experiment), values(slower, own, experiment));
    return runInProcess(['run', home, '--progress', 'none', '--fail-on-regression']);
  };
  const list = async () => JSON.parse((await runInProcess(['changes', home, '--json'])).stdout) as ChangeList;
  return { home, night, list };
}

test('thirty series that are 14 % slower in one night are one event of the machine', async (t) => {
  const { home, night, list } = newHome(t);
  await night(1);
  const told = await night(1.14);
  assert.equal(told.code, 0, 'no regression');
  assert.match(
    told.stdout,
    /\n1 change:\n {2}\w+ {2}machine \S+ \(speed\) \+1[34]\.\d % \(.*\) worse: (2\d|30) measurements moved together/,
  );
  const first = await list();
  assert.deepEqual([first.openRegressions, first.openMachineEvents, first.changes.length], [0, 1, 1]);
  const event = first.changes[0];
  assert.ok(Math.abs((event?.after ?? 0) - 1.14) < 0.01, `${event?.after}`);
  assert.match((await runInProcess(['status', home])).stdout, /machine \S+ \(speed\) \+1[34]/);

  // The machine stays as it is: its series are not told, but one that got slower beside it is.
  for (let nights = 0; nights < 3; nights++) await night(1.14);
  const slower = await night(1.14, { 'sort/a': 1.25 });
  assert.equal(slower.code, 3);
  assert.match(slower.stdout, /1 change:\n {2}\w+ {2}sort\/a \+2\d\.\d %/);
  const second = await list();
  assert.deepEqual([second.openRegressions, second.openMachineEvents], [1, 1]);

  const back = await night(1, { 'sort/a': 1.25 });
  assert.match(back.stdout, /machine \S+ \(speed\) -1[12]\.\d % \(.*\) better/);
  const third = await list();
  assert.deepEqual([third.openRegressions, third.openMachineEvents], [1, 0], 'back to where it was');
  assert.deepEqual(
    third.changes.filter(({ moved }) => moved !== undefined).map(({ state, author }) => [state, author]),
    [
      ['expected', 'nightmark'],
      ['fixed', 'nightmark'],
    ],
  );
});

test('called false, the event is none, and its series are changes of their own', async (t) => {
  const { home, night, list } = newHome(t, ['sort', 'parse']);
  await night(1);
  for (let nights = 0; nights < 7; nights++) await night(1.3);
  const { changes } = await list();
  assert.deepEqual(
    changes.map(({ series }) => series.kind),
    ['machine'],
  );
  await runInProcess(['changes', 'triage', changes[0]?.id ?? '', '--state', 'false', '--home', home]);
  await runInProcess(['changes', home, '--judge']);
  const after = await list();
  assert.deepEqual([after.openMachineEvents, after.openRegressions], [0, 10]);
});
