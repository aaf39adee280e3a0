import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import type { SampleSet } from '../../src/formats/core/sample.ts';
import { openSqliteStore as open } from '../../src/home/adapters/store/sqlite-store.ts';
import { seriesKey } from '../../src/home/core/changes/change.ts';
import type { FollowedChange } from '../../src/home/core/changes/change-ledger.ts';
import type { Machine, Run, StageResult, Trial } from '../../src/home/core/run.ts';
import type { ChangeQuery, Store } from '../../src/home/core/store.ts';

const url = new URL('../../src/home/adapters/store/sqlite-store.js', import.meta.url).href;

const machine: Machine = {
  id: 'm1',
  name: 'lab "one"',
  facts: { cpu: 'x', cores: 4, smt: true, none: null },
};
const run = (id: string, more: Partial<Run> = {}): Run => ({
  id,
  kind: 'night',
  project: 'p',
  label: '01-05-2026-0307',
  state: 'finished',
  startedAt: 1_000,
  endedAt: 2_000.25,
  seed: 4_294_967_295,
  machineId: 'm1',
  order: ['b', 'a'],
  origin: 'measured',
  warnings: ['late'],
  ...more,
});
const trial = (runId: string, task: string, more: Partial<Trial> = {}): Trial => ({
  runId,
  task,
  kind: 'experiment',
  state: 'succeeded',
  message: '',
  startedAt: 1_001,
  durationMs: 12.5,
  commits: { tvm: '6de6d63' },
  ...more,
});
const stage = (task: string, more: Partial<StageResult> = {}): StageResult => ({
  task,
  kind: 'experiment',
  stage: 'run',
  success: true,
  message: 'naïve\n"quoted" \\',
  extra: { more: [1, { deep: true }] },
  startedAt: 1_001,
  durationMs: 3.5,
  attempts: 2,
  exit: { type: 'code', code: 9 },
  log: '.nightmark/runs/x/run.log',
  ...more,
});
const samples: SampleSet[] = [
  {
    benchmark: ['sort', '10'],
    metric: 'time',
    unit: 's',
    better: 'lower',
    values: [0.1, 2, -3e-9],
    settings: { n: 1, on: true },
  },
  { benchmark: [], metric: 'size', unit: 'B', better: 'unknown', values: [], settings: {} },
];
const points = (times: number[], values: number[]) => ({
  name: 'cpu',
  tags: { core: '0', host: 'h' },
  unit: '%',
  times: Float64Array.from(times),
  values: Float64Array.from(values),
});

const payload = (testId: string, day: number, value: number | number[], version = '1.0.0'): Payload => ({
  metadata: {
    ...{ start: `2024-09-0${day}T10:00:00`, end: `2024-09-0${day}T10:05:00`, test_uuid: testId },
    settings: { version, run_id: testId },
  },
  results: { text: 'naïve "quoted"' },
  kpis: {
    speed: {
      ...{ help: 'How fast', unit: 'req/s', value, version, run_id: testId },
      '@timestamp': `2024-09-0${day}T10:00:00.000000Z`,
    },
  },
});
const at = (day: number) => Date.UTC(2024, 8, day, 10);

const newFile = () => join(mkdtempSync(join(tmpdir(), 'nightmark-stores-')), 'index.db');

const withStore = (name: string, body: (store: Store, file: string) => Promise<void>) =>
  test(`sqlite ${name}`, async () => {
    const file = newFile();
    const store = await open(file);
    try {
      await body(store, file);
    } finally {
      store.close();
    }
  });

withStore('1: everything comes back as it was saved', async (store) => {
  await store.saveMachine(machine);
  await store.saveRun(run('r1'));
  const trials = [
    trial('r1', 'a', { title: 'A' }),
    trial('r1', 'b', { state: 'failed', failedStage: 'analyze' }),
  ];
  await store.saveTrials(trials);
  const stages = [stage('a', { stage: 'precheck', startedAt: 1 }), stage('a', { success: false })];
  await store.saveStages('r1', stages);
  await store.saveSamples('r1', 'a', samples);
  await store.appendPoints('r1', [points([1, 2], [5, Number.NaN])]);

  assert.deepEqual(await store.machine('m1'), machine);
  assert.deepEqual(await store.run('r1'), run('r1'));
  assert.deepEqual(await store.trialsOf(['r1']), trials);
  assert.deepEqual(await store.stagesOf('r1'), stages);
  assert.deepEqual(await store.samplesOf('r1', 'a'), samples);
  assert.deepEqual(await store.pointsOf('r1'), [points([1, 2], [5, Number.NaN])]);
  assert.equal(await store.run('r2'), undefined);
  assert.equal(await store.machine('m2'), undefined);
  assert.deepEqual(await store.trialsOf(['r2']), []);
  assert.deepEqual(await store.stagesOf('r2'), []);
});

withStore('3: trials of many runs are counted without reading each', async (store) => {
  await store.saveRun(run('r1', { startedAt: 1 }));
  await store.saveRun(run('r2', { startedAt: 2 }));
  await store.saveRun(run('r3', { startedAt: 3 }));
  await store.saveTrials([
    trial('r1', 'a'),
    trial('r1', 'b', { state: 'failed' }),
    trial('r2', 'a'),
    trial('r2', 'c', { commits: { tvm: 'abc' } }),
    trial('r2', 'a', { kind: 'subsystem', state: 'inactive' }),
    trial('r3', 'a'),
  ]);
  const { counts, failed, commits } = await store.trialDigest(['r1', 'r2']);
  const newest = await store.newestTasks(['r1', 'r2']);
  assert.deepEqual(commits, [
    { runId: 'r1', commits: { tvm: '6de6d63' } },
    { runId: 'r2', commits: { tvm: '6de6d63' } },
    { runId: 'r2', commits: { tvm: 'abc' } },
  ]);
  const told = counts.map(({ runId, kind, state, count }) => `${runId} ${kind} ${state} ${count}`).sort();
  assert.deepEqual(told, [
    'r1 experiment failed 1',
    'r1 experiment succeeded 1',
    'r2 experiment succeeded 2',
    'r2 subsystem inactive 1',
  ]);
  assert.deepEqual(failed, [{ runId: 'r1', kind: 'experiment', task: 'b' }]);
  assert.deepEqual(newest, [
    { runId: 'r2', kind: 'experiment', task: 'a' },
    { runId: 'r1', kind: 'experiment', task: 'b' },
    { runId: 'r2', kind: 'experiment', task: 'c' },
    { runId: 'r2', kind: 'subsystem', task: 'a' },
  ]);
  assert.deepEqual(await store.trialDigest([]), { counts: [], failed: [], commits: [] });
  assert.deepEqual(await store.newestTasks([]), []);
  const groups = (await store.trialGroups('r2')).toSorted((a, b) =>
    (a.tasks[0] ?? '').localeCompare(b.tasks[0] ?? ''),
  );
  assert.deepEqual(groups, [
    { state: 'succeeded', commits: { tvm: '6de6d63' }, tasks: ['a'] },
    { state: 'succeeded', commits: { tvm: 'abc' }, tasks: ['c'] },
  ]);
  assert.deepEqual(await store.trialGroups('nobody'), []);
  const [brief, whole] = [true, false].map((isBrief) => store.latestRuns({ limit: 1, isBrief }));
  assert.deepEqual(await brief, [{ ...(await whole)?.[0], order: [] }]);
});

withStore('1: each of several runs has the order of its own tasks', async (store) => {
  const orders = [['b', 'a'], ['a', 'b'], ['a', 'b'], [], ['a', 'b']];
  for (const [at, order] of orders.entries()) await store.saveRun(run(`o${at}`, { startedAt: at, order }));
  const listed = await store.latestRuns({ limit: 9 });
  assert.deepEqual(
    listed.map((one) => [one.id, one.order]),
    orders.map((order, at) => [`o${at}`, order]).reverse(),
  );
  assert.deepEqual(
    (await store.latestRuns({ limit: 2, before: 3 })).map(({ order }) => order),
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  );
});

withStore('1: series of KPIs know their direction, and their history is that of numbers', async (store) => {
  const withDirection = (one: Payload, more: Record<string, boolean>): Payload => {
    return { ...one, kpis: { speed: { ...one.kpis['speed'], ...more } } };
  };
  await store.savePayloads([
    withDirection(payload('t1', 1, 5), { lower_better: true }),
    withDirection(payload('t2', 2, [1, 9, 3]), { lower_better: false, ignored_for_regression: true }),
    payload('t3', 3, 7, '2.0.0'),
  ]);
  const series = await store.kpiSeries({ limit: 10 });
  const one = {
    name: 'speed',
    labels: { version: '1.0.0' },
    unit: 'req/s',
    better: 'higher',
    betterFrom: 'format',
    isIgnored: true,
  };
  assert.deepEqual(series, [
    one,
    { ...one, labels: { version: '2.0.0' }, betterFrom: 'inferred', isIgnored: false },
  ]);
  assert.deepEqual(await store.kpiSeries({ testId: 't3', limit: 10 }), [series[1]]);
  assert.deepEqual(await store.kpiHistory(one, { limit: 10 }), {
    times: Float64Array.of(at(1), at(2)),
    values: Float64Array.of(5, 3),
    runIds: ['t1', 't2'],
  });
  assert.deepEqual((await store.kpiHistory(one, { limit: 1 })).runIds, ['t2']);
});

withStore(
  '1: a judgement is saved in the place of the one before, and new values outdate it',
  async (store) => {
    const key = '["value","a","x"]';
    const value = (runId: string, name: string) =>
      store.saveValues({ runId, task: 'a', at: 1, values: [{ experiment: 'a', path: [name], value: 1 }] });
    assert.equal(await store.judgement(key), undefined);
    await store.saveJudgements([
      { series: key, document: '{"old":1}' },
      { series: 'b', document: '{}' },
    ]);
    await store.saveJudgements([{ series: key, document: '{"new":1}' }]);
    assert.deepEqual(await store.judgement(key), { document: '{"new":1}', isOutdated: false });
    await value('r1', 'y');
    assert.equal((await store.judgement(key))?.isOutdated, false);
    await value('r1', 'x');
    assert.equal((await store.judgement(key))?.isOutdated, true);
    await store.saveJudgements([{ series: key, document: '{"newer":1}' }]);
    assert.deepEqual(await store.judgement(key), { document: '{"newer":1}', isOutdated: false });
    await store.clearIndex();
    assert.equal(await store.judgement('b'), undefined);
  },
);

withStore('1: a new test of a KPI outdates the judgement of its series', async (store) => {
  await store.savePayloads([payload('t1', 1, 5)]);
  const [{ name, labels } = { name: '', labels: {} }] = await store.kpiSeries({ limit: 1 });
  const key = seriesKey({ kind: 'kpi', name, labels });
  await store.saveJudgements([{ series: key, document: '{}' }]);
  assert.equal((await store.judgement(key))?.isOutdated, false);
  await store.savePayloads([payload('t2', 2, 6)]);
  assert.equal((await store.judgement(key))?.isOutdated, true);
});

withStore('3: a thinned history keeps what stands out and the newest, and counts all', async (store) => {
  const values = Array.from({ length: 500 }, (_, at) => (at === 123 ? -7 : at === 321 ? 9 : Math.sin(at)));
  await store.together(async () => {
    for (const [at, value] of values.entries())
      await store.saveValues({
        ...{ runId: `r${at}`, task: 'a', at },
        values: [{ experiment: 'a', path: ['x'], value }],
      });
  });
  const [{ id = 0 } = {}] = await store.series({ experiment: 'a', limit: 1 });
  const thinned = await store.thinned(id, { limit: 40 });
  assert.equal(thinned.count, 500);
  assert.ok(thinned.values.length <= 40 && thinned.values.length > 20);
  for (const at of [123, 321, 499]) {
    const place = thinned.times.indexOf(at);
    assert.deepEqual([thinned.values[place], thinned.runIds[place]], [values[at], `r${at}`]);
  }
  assert.deepEqual(
    [...thinned.times],
    [...new Set(thinned.times)].sort((a, b) => a - b),
  );
  const some = { limit: 40, from: 120, to: 125 };
  assert.deepEqual(await store.thinned(id, some), { ...(await store.history(id, some)), count: 6 });
});

withStore('3: outcomes of an experiment are those of its newest runs, oldest first', async (store) => {
  const commits = { repo: 'abc' };
  for (const [id, startedAt] of [
    ['r1', 10],
    ['r2', 20],
    ['r3', 30],
  ] as const) {
    const { machineId: _, ...bare } = run(id, { startedAt, label: `label ${id}` });
    await store.saveRun(id === 'r2' ? { ...bare, machineId: 'm2' } : bare);
  }
  await store.saveTrials([
    trial('r1', 'a', { commits }),
    trial('r1', 'b'),
    trial('r2', 'a', { state: 'failed', message: 'x'.repeat(400), commits }),
    trial('r3', 'a', { kind: 'subsystem' }),
  ]);
  const first = { runId: 'r1', label: 'label r1', at: 10, state: 'succeeded', message: '' };
  const failed = { runId: 'r2', label: 'label r2', at: 20, state: 'failed', message: 'x'.repeat(300) };
  const [one, two] = [
    { ...first, durationMs: 12.5, commits },
    { ...failed, durationMs: 12.5, machineId: 'm2', commits },
  ];
  assert.deepEqual(await store.outcomes({ experiment: 'a', limit: 10 }), [one, two]);
  assert.deepEqual(await store.outcomes({ experiment: 'a', limit: 1 }), [two]);
  assert.deepEqual(await store.outcomes({ experiment: 'a', limit: 9, from: 1, to: 19 }), [one]);
  assert.deepEqual(await store.outcomes({ experiment: 'c', limit: 9 }), []);
});

withStore('4: changes come back as they were saved, newest first', async (store) => {
  const shift = { difference: 1, low: -Infinity, high: Infinity, level: 0.95 };
  const change = (id: string, more: Partial<FollowedChange> = {}): FollowedChange => ({
    ...{
      id,
      series: { kind: 'value', experiment: 'a', path: ['x'] },
      unit: 's',
      better: 'lower',
      at: 1,
      runId: 'r',
    },
    ...{
      before: 1,
      after: 2,
      shift,
      p: 0,
      direction: 'worse',
      isProvisional: false,
      detector: 'd',
      foundAt: 3,
    },
    state: 'new',
    ...more,
  });
  const kpi = { kind: 'kpi', name: 'k', labels: { b: 1, a: 'é' } } as const;
  const old = change('abc1');
  const newer = change('abd2', {
    at: 9,
    series: kpi,
    state: 'expected',
    note: '<b>',
    author: 'me',
    triagedAt: 4,
  });
  const gone = change('b%_3', { at: 5, withdrawnAt: 6 });
  await store.saveChanges([old, newer, gone]);
  await store.saveChanges([gone]);
  const ids = async (query: Partial<ChangeQuery>) =>
    (await store.changes({ limit: 10, ...query })).map(({ id }) => id);
  assert.deepEqual(await store.changes({ limit: 10 }), [newer, gone, old]);
  assert.deepEqual(await ids({ limit: 1 }), ['abd2']);
  assert.deepEqual(await ids({ id: 'ab' }), ['abd2', 'abc1']);
  assert.deepEqual(await ids({ id: '%' }), []);
  assert.deepEqual(await ids({ id: 'b%' }), ['b%_3']);
  assert.deepEqual(await ids({ experiment: 'a' }), ['b%_3', 'abc1']);
  assert.deepEqual(await ids({ series: seriesKey({ ...kpi, labels: { a: 'é', b: 1 } }) }), ['abd2']);
  assert.deepEqual([await ids({ isOpen: true }), await ids({ isOpen: false })], [['abc1'], ['abd2', 'b%_3']]);
  await store.saveChanges([{ ...old, state: 'fixed' }]);
  assert.deepEqual(await ids({ isOpen: true }), []);
  assert.equal((await store.changes({ limit: 10 })).length, 3);

  const absence = { series: kpi, lastAt: 1, lastRunId: 'r1', at: 2 };
  await store.saveAbsences([absence]);
  assert.deepEqual(await store.absences(), [absence]);
  await store.saveAbsences([]);
  assert.deepEqual(await store.absences(), []);
  await store.saveAbsences([absence]);
  await store.clearIndex();
  assert.deepEqual([await store.changes({ limit: 10 }), await store.absences()], [[], []]);
});

withStore('1: optional fields stay absent', async (store) => {
  const { endedAt: _1, seed: _2, machineId: _3, ...bare } = run('r1');
  await store.saveRun(bare);
  const { startedAt: _4, durationMs: _5, ...bareTrial } = trial('r1', 'a');
  await store.saveTrials([bareTrial]);
  const { exit: _6, log: _7, ...bareStage } = stage('a');
  await store.saveStages('r1', [bareStage]);
  assert.deepEqual(await store.run('r1'), bare);
  assert.deepEqual(await store.trialsOf(['r1']), [bareTrial]);
  assert.deepEqual(await store.stagesOf('r1'), [bareStage]);
});

withStore('1: a newer state replaces the older one', async (store) => {
  const value = { experiment: 'a', path: ['x'], value: 1 };
  for (const round of [1, 2]) {
    await store.saveMachine({ ...machine, name: `round ${round}` });
    await store.saveRun(run('r1', { state: round === 1 ? 'running' : 'finished' }));
    await store.saveTrials([trial('r1', 'a', { state: round === 1 ? 'running' : 'succeeded' })]);
    await store.saveStages('r1', [stage('a', { attempts: round })]);
    await store.saveValues({ runId: 'r1', task: 'a', at: 1_000, values: [{ ...value, value: round }] });
    await store.saveSamples('r1', 'a', round === 1 ? samples : samples.slice(0, 1));
    await store.appendPoints('r1', [points([1, 2], [round, round])]);
  }
  assert.equal(await store.countRuns(), 1);
  assert.equal((await store.machine('m1'))?.name, 'round 2');
  assert.equal((await store.run('r1'))?.state, 'finished');
  assert.deepEqual(
    (await store.trialsOf(['r1'])).map(({ state }) => state),
    ['succeeded'],
  );
  assert.deepEqual(
    (await store.stagesOf('r1')).map(({ attempts }) => attempts),
    [2],
  );
  const [series] = await store.series({ limit: 10 });
  assert.deepEqual([...(await store.history(series?.id ?? 0, { limit: 10 })).values], [2]);
  assert.deepEqual(await store.samplesOf('r1', 'a'), samples.slice(0, 1));
  assert.deepEqual(await store.pointsOf('r1'), [points([1, 2], [2, 2])]);
});

withStore('1: points append, and a stretch given again replaces its span', async (store) => {
  await store.saveRun(run('r1'));
  await store.appendPoints('r1', [points([1, 2, 3], [1, 1, 1])]);
  await store.appendPoints('r1', [points([6, 5], [3, 2]), points([], [])]);
  assert.deepEqual(await store.pointsOf('r1'), [points([1, 2, 3, 5, 6], [1, 1, 1, 2, 3])]);
  await store.appendPoints('r1', [points([3, 4, 5], [9, 9, 9])]);
  assert.deepEqual(await store.pointsOf('r1'), [points([1, 2, 3, 4, 5, 6], [1, 1, 9, 9, 9, 3])]);
});

withStore('1: a series learns its unit once and keeps it', async (store) => {
  const value = { experiment: 'a', path: ['cpu', 'A "x"', ''], value: 1 };
  const save = (at: number, more: object) =>
    store.saveValues({ runId: `r${at}`, task: 'a', at, values: [{ ...value, ...more }] });
  await save(1, {});
  await save(2, { unit: 's', better: 'lower' });
  await save(3, {});
  const [series, ...others] = await store.series({ experiment: 'a', limit: 10 });
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...series, id: 0 },
    { id: 0, experiment: 'a', path: value.path, unit: 's', better: 'lower', betterFrom: 'format' },
  );
});

withStore(
  '6: a direction is declared, given or inferred, in this order, for the whole history',
  async (store) => {
    const values = [
      { experiment: 'a', path: ['cpu', 'A'], value: 1 },
      { experiment: 'a', path: ['seconds', 'A'], value: 1 },
      { experiment: 'a', path: ['sort'], value: 1, metric: 'wall_ms' },
      { experiment: 'b', path: ['size'], value: 1, unit: 'B', better: 'lower' } as const,
    ];
    await store.saveValues({ runId: 'r1', task: 'a', at: 1, values });
    const found = async () =>
      (await store.series({ limit: 10 })).map(({ path, unit, better, betterFrom = '' }) =>
        [path.join('/'), unit, better, betterFrom].join(' '),
      );
    const inferred = ['seconds/A s lower inferred', 'sort ms lower inferred'];
    assert.deepEqual(await found(), ['cpu/A  unknown ', ...inferred, 'size B lower format']);
    const rules = [
      { pattern: 'cpu/*', better: 'lower' },
      { pattern: '*', experiment: 'a', better: 'higher' },
      { pattern: 'a/cpu/A', better: 'none' },
      { pattern: 'b/*', better: 'higher' },
    ] as const;
    await store.saveDirections(rules);
    assert.deepEqual(await store.directions(), rules);
    assert.deepEqual(await found(), [
      'cpu/A  unknown declared',
      'seconds/A s higher declared',
      'sort ms higher declared',
      'size B higher declared',
    ]);
    await store.clearIndex();
    assert.deepEqual(await store.directions(), rules, 'they are of the definition, not of the results');
    await store.saveDirections([]);
    assert.deepEqual(await store.directions(), []);
  },
);

test('sqlite 2: what was saved survives SIGKILL, and is read while the writer lives', async () => {
  const file = newFile();
  const writer = spawn(
    process.execPath,
    ['--input-type=module', '-e', WRITER, url, file, JSON.stringify(run('r1'))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(writer.stdout, 'data');
  const reader = await open(file, { readOnly: true });
  assert.deepEqual(await reader.run('r1'), run('r1'));
  assert.equal(await reader.run('r2'), undefined, 'an unfinished group of saves is not seen');
  reader.close();
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  const next = await open(file);
  assert.deepEqual(
    (await next.latestRuns({ limit: 9 })).map(({ id }) => id),
    ['r1'],
  );
  next.close();
});

withStore('3: history is sorted, limited to the newest and to the range', async (store) => {
  for (const at of [5, 1, 4, 2, 3]) {
    const values = [{ experiment: 'a', path: ['x'], value: at * 10 }];
    await store.saveValues({ runId: `r${at}`, task: 'a', at, values });
  }
  const [series] = await store.series({ limit: 1 });
  const seriesId = series?.id ?? assert.fail();
  assert.deepEqual(await store.history(seriesId, { limit: 3 }), {
    times: Float64Array.of(3, 4, 5),
    values: Float64Array.of(30, 40, 50),
    runIds: ['r3', 'r4', 'r5'],
  });
  const times = async (query: object) => [...(await store.history(seriesId, { limit: 9, ...query })).times];
  assert.deepEqual(await times({ from: 2, to: 4 }), [2, 3, 4]);
  assert.deepEqual(await times({ to: 3, limit: 2 }), [2, 3]);
  assert.deepEqual(await times({ from: 6 }), []);
  assert.deepEqual([...(await store.history(seriesId + 1, { limit: 9 })).times], []);
});

withStore('3: the values of some runs come as columns, those of other runs do not', async (store) => {
  for (const [runId, at] of [
    ['r1', 1],
    ['r2', 2],
    ['r2b', 2],
    ['r3', 3],
  ] as const) {
    const paths = runId === 'r3' ? [['x']] : [['x'], ['y']];
    const values = paths.map((path, place) => ({ experiment: 'a', path, value: at * 10 + place }));
    await store.saveValues({ runId, task: 'a', at, values });
  }
  await store.saveValues({
    runId: 'r2',
    task: 'a',
    at: 2,
    values: [{ experiment: 'a', path: ['y'], value: Number.NaN }],
  });
  const ids = (await store.series({ limit: 9 })).map(({ id }) => id);
  const [x, y] = ids;
  const found = await store.valuesOf([
    { id: 'r3', startedAt: 3 },
    { id: 'r2', startedAt: 2 },
    { id: 'none', startedAt: 2 },
  ]);
  assert.deepEqual([...found.series], [x, x, y]);
  assert.deepEqual([...found.runs], [1, 0, 1]);
  assert.deepEqual([...found.values], [20, 30, Number.NaN]);
  assert.equal((await store.valuesOf([])).series.length, 0);
  const odd = [0.1 + 0.2, -1 / 3, 1e-310, 1.7976931348623157e308, -0.07, 2 ** 53, Infinity];
  const values = odd.map((value, place) => ({ experiment: 'b', path: [`${place}`], value }));
  await store.saveValues({ runId: 'r9', task: 'b', at: 9, values });
  assert.deepEqual([...(await store.valuesOf([{ id: 'r9', startedAt: 9 }])).values], odd);
});

withStore('3: runs are newest first and filtered', async (store) => {
  await store.saveRun(run('r1', { startedAt: 1 }));
  await store.saveRun(run('r3', { startedAt: 3, state: 'running' }));
  await store.saveRun(run('r2', { startedAt: 2, kind: 'duet' }));
  await store.saveRun(run('r2b', { startedAt: 2 }));
  const ids = async (query: object) => (await store.latestRuns({ limit: 9, ...query })).map(({ id }) => id);
  assert.deepEqual(await ids({}), ['r3', 'r2b', 'r2', 'r1']);
  assert.deepEqual(await ids({ limit: 2 }), ['r3', 'r2b']);
  assert.deepEqual(await ids({ limit: 0 }), []);
  assert.deepEqual(await ids({ kind: 'night' }), ['r3', 'r2b', 'r1']);
  assert.deepEqual(await ids({ state: 'running' }), ['r3']);
  assert.deepEqual(await ids({ before: 2 }), ['r1']);
  assert.deepEqual(await ids({ kind: 'night', state: 'finished', before: 3 }), ['r2b', 'r1']);
});

withStore('1: a payload that is saved again is there once, with its new values', async (store) => {
  await store.savePayloads([payload('a', 1, 5), payload('b', 2, [1, 2.5], '2.0.0')]);
  await store.savePayloads([payload('a', 3, 7)]);
  assert.deepEqual(await store.payloads({ limit: 9 }), [
    payload('b', 2, [1, 2.5], '2.0.0'),
    payload('a', 3, 7),
  ]);
  const facts = { name: 'speed', help: 'How fast', unit: 'req/s' };
  assert.deepEqual(await store.latestKpis({ limit: 9 }), [
    { ...facts, labels: { version: '1.0.0' }, at: at(3), value: 7 },
    { ...facts, labels: { version: '2.0.0' }, at: at(2), value: [1, 2.5] },
  ]);
});

withStore('3: payloads are sorted by time, and of a KPI the newest value is shown', async (store) => {
  await store.savePayloads([payload('c', 3, 30), payload('a', 1, 10), payload('b', 2, 20)]);
  const ids = async (query: object) =>
    (await store.payloads({ limit: 9, ...query })).map(({ metadata }) => metadata.test_uuid);
  assert.deepEqual(await ids({}), ['a', 'b', 'c']);
  assert.deepEqual(await ids({ limit: 2 }), ['b', 'c']);
  assert.deepEqual(await ids({ from: at(2), to: at(2) }), ['b']);
  assert.deepEqual(
    (await store.latestKpis({ limit: 9 })).map(({ value }) => value),
    [30],
  );
  assert.deepEqual(await store.latestKpis({ limit: 0 }), []);
});

withStore('5: clearIndex forgets all that files can tell', async (store) => {
  await store.saveMachine(machine);
  await store.saveRun(run('r1'));
  await store.saveTrials([trial('r1', 'a')]);
  await store.saveStages('r1', [stage('a')]);
  await store.saveSamples('r1', 'a', samples);
  await store.appendPoints('r1', [points([1], [1])]);
  await store.saveValues({
    runId: 'r1',
    task: 'a',
    at: 1,
    values: [{ experiment: 'a', path: [], value: 1 }],
  });
  await store.savePayloads([payload('a', 1, 5)]);
  await store.clearIndex();
  assert.deepEqual(await store.payloads({ limit: 9 }), []);
  assert.deepEqual(await store.latestKpis({ limit: 9 }), []);
  assert.equal(await store.countRuns(), 0);
  assert.equal(await store.machine('m1'), undefined);
  assert.deepEqual(await store.trialsOf(['r1']), []);
  assert.deepEqual(await store.stagesOf('r1'), []);
  assert.deepEqual(await store.samplesOf('r1', 'a'), []);
  assert.deepEqual(await store.pointsOf('r1'), []);
  assert.deepEqual(await store.series({ limit: 9 }), []);
});

withStore('together: all or nothing', async (store) => {
  await assert.rejects(
    store.together(async () => {
      await store.saveRun(run('r1'));
      throw new Error('stop');
    }),
    /stop/,
  );
  assert.equal(await store.countRuns(), 0);
  assert.equal(await store.together(async () => store.saveRun(run('r1')).then(() => 7)), 7);
  assert.equal(await store.countRuns(), 1);
});

const WRITER = `
  const { openSqliteStore: open } = await import(process.argv[1]);
  const store = await open(process.argv[2]);
  const run = JSON.parse(process.argv[3]);
  await store.saveRun(run);
  await store.together(async () => {
    await store.saveRun({ ...run, id: 'r2' });
    console.log('saved');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
`;
