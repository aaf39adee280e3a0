import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { SampleSet } from '../../src/formats/core/sample.ts';
import { sampleValues } from '../../src/formats/core/sample-data.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const root = fs.mkdtempSync(join(tmpdir(), 'nightmark-plan-'));
const home = join(root, 'home');
after(() => fs.rmSync(root, { recursive: true, force: true }));

const NIGHTS = 24;
const random = seededRandom(5);
/** Between -1 and 1, in the middle more often. */
const draw = () => random() + random() + random() - 1.5;

before(async () => {
  fs.mkdirSync(join(home, '.nightmark'), { recursive: true });
  fs.writeFileSync(join(home, 'nightmark.yml'), 'project: plan\n');
  const store = await openSqliteStore(join(home, '.nightmark/index.db'));
  for (let night = 0; night < NIGHTS; night++) {
    const at = Date.UTC(2026, 0, 1 + night, 2);
    const runId = `202601${String(night + 1).padStart(2, '0')}-020000-test`;
    await store.saveRun({
      id: runId,
      kind: 'night',
      project: 'plan',
      label: `01-${String(night + 1).padStart(2, '0')}-2026-0200`,
      state: 'finished',
      startedAt: at,
      order: ['sorting', 'steady', 'young'],
      origin: 'measured',
      warnings: [],
    });
    // 3 % from night to night, 2 % from iteration to iteration, 30 iterations of 100 ms in a run of 10 s.
    const level = 0.1 * Math.exp(0.06 * draw());
    const samples: readonly SampleSet[] = [
      {
        benchmark: ['quick', '10000'],
        metric: 'time',
        unit: 's',
        better: 'lower',
        settings: {},
        values: Array.from({ length: 30 }, () => level * Math.exp(0.04 * draw())),
      },
    ];
    await store.saveSamples(runId, 'sorting', samples);
    await store.saveValues({ runId, task: 'sorting', at, values: sampleValues('sorting', samples) });
    const steady = [{ experiment: 'steady', path: ['count'], value: 7 }];
    await store.saveValues({ runId, task: 'steady', at, values: steady });
    if (night === 0) {
      const young = [{ experiment: 'young', path: ['time'], value: 1 }];
      await store.saveValues({ runId, task: 'young', at, values: young });
    }
    await store.saveStages(runId, [
      {
        task: 'sorting',
        kind: 'experiment',
        stage: 'run',
        success: true,
        message: '',
        extra: {},
        startedAt: at,
        durationMs: 10_000,
        attempts: 1,
      },
    ]);
  }
  store.close();
});

interface PlanJson {
  readonly values: readonly {
    readonly name: string;
    readonly alone: { runs: number; iterations: number; seconds: number; power: number };
    readonly duet: { runs: number; seconds: number };
    readonly noise: { run: number; within: number; count: number; pairsAre: string };
    readonly inTime: { readonly alone: { readonly effect: number } };
  }[];
}

test('plans from the nights of a home: runs, iterations and minutes', async () => {
  const { code, stdout, stderr } = await runBinary(['plan', 'sorting', '--detect', '2%', '--home', home]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^To see 2 % in 90 % of comparisons: \d+ runs( of \d+ iterations)? a side, about \d+ min.*; as duets \d+ runs.*, about .*\. In 5 minutes you can see [\d.]+ %, as duets [\d.]+ %\.\n/,
  );
  assert.match(stdout, /quick\/10000: [\d.]+ % from night to night \(24 nights\)/);
  assert.match(stdout, /note: No duets were measured here/);
});

test('--json has what the nights told: spread, iterations, time', async () => {
  const args = ['plan', 'sorting', '--metric', 'quick/10000', '--detect', '2%', '--home', home, '--json'];
  const { stdout } = await runInProcess(args);
  const [value] = (JSON.parse(stdout) as PlanJson).values;
  assert.ok(value && value.noise.run > 0.02 && value.noise.run < 0.05, stdout);
  assert.ok(value.noise.within > 0.01 && value.noise.within < 0.04, stdout);
  assert.equal(value.noise.count, NIGHTS);
  assert.equal(value.noise.pairsAre, 'assumed');
  assert.ok(value.alone.power >= 0.9 && value.duet.runs < value.alone.runs);
  assert.ok(value.duet.seconds < value.alone.seconds / 2);
  const again = await runInProcess(args);
  assert.equal(again.stdout, stdout);
});

test('more minutes show a smaller effect', async () => {
  const effectIn = async (minutes: string) => {
    const { stdout } = await runInProcess([
      'plan',
      'sorting',
      '--minutes',
      minutes,
      '--json',
      '--home',
      home,
    ]);
    return (JSON.parse(stdout) as PlanJson).values[0]?.inTime.alone.effect ?? Number.NaN;
  };
  const [short, long] = [await effectIn('5'), await effectIn('60')];
  assert.ok(long < short / 2, `${short} and ${long}`);
});

const pairs = (mode: string) => {
  const times = () => Array.from({ length: 20 }, () => 0.2 + 0.001 * draw());
  const side = (name: string, command: string) => ({ name, command, times: times() });
  const sides = { A: side('A', 'sort a'), B: side('B', 'sort b') };
  const results = [sides.A, sides.B].map(({ command, times }) => ({ command, times }));
  return JSON.stringify({ results, nightmark: { comparisons: [{ mode, sides }] } });
};

test('pairs of a duet take the place of the assumption', async () => {
  const file = join(root, 'pairs.json');
  fs.writeFileSync(file, pairs('together'));
  for (const args of [
    ['sorting', '--home', home, '--duet', file],
    ['--from', file],
  ]) {
    const { stdout, stderr } = await runInProcess(['plan', ...args, '--json']);
    const [value] = (JSON.parse(stdout || '{}') as PlanJson).values;
    assert.equal(value?.noise.pairsAre, 'measured', stderr);
    assert.equal(value?.duet.runs, 5);
  }
});

test('sides that ran one after the other are no pairs', async () => {
  const file = join(root, 'alone.json');
  fs.writeFileSync(file, pairs('one-after-another'));
  const { stdout } = await runInProcess(['plan', '--from', file, '--json']);
  assert.equal((JSON.parse(stdout) as PlanJson).values[0]?.noise.pairsAre, 'assumed');
  const { code, stderr } = await runInProcess(['plan', '--noise', '3%', '--duet', file]);
  assert.equal(code, 1);
  assert.match(stderr, /PLAN_NO_PAIRS/);
});

test('a plan from two numbers needs no home', async () => {
  const { stdout } = await runInProcess(['plan', '--noise', '3%', '--time', '200ms']);
  assert.match(stdout, /: 198 runs a side, about 1 min 20 s; as duets 41 runs, about 8 s\./);
});

const REFUSED: readonly (readonly [name: string, args: readonly string[], said: RegExp])[] = [
  ['nothing at all', [], /PLAN_WHICH/],
  ['two sources at once', ['sorting', '--noise', '3%'], /PLAN_WHICH/],
  ['an unknown experiment', ['sortnig'], /"sortnig"[\s\S]*sorting, steady, young[\s\S]*PLAN_NO_HISTORY/],
  ['an unknown value', ['sorting', '--metric', 'slow'], /"slow"[\s\S]*quick\/10000[\s\S]*PLAN_NO_METRIC/],
  [
    'one night',
    ['young'],
    /"time" has one value only[\s\S]*at least two nights are needed[\s\S]*PLAN_NO_SPREAD/,
  ],
  ['a constant', ['steady'], /"count" has no spread: all its values are equal[\s\S]*PLAN_NO_SPREAD/],
  ['minutes without a duration', ['--noise', '3%', '--minutes', '5'], /--time 2min[\s\S]*PLAN_NO_DURATION/],
  ['a missing file', ['--from', 'no.json'], /no\.json[\s\S]*PLAN_NO_FILE/],
  ['a share above one', ['--noise', '3%', '--power', '1'], /--power: "1"[\s\S]*CLI_INVALID_OPTION/],
];

for (const [name, args, said] of REFUSED) {
  test(`refuses ${name}, and says what to do`, async () => {
    const { code, stdout, stderr } = await runInProcess(['plan', ...args, '--home', home]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, said);
  });
}
