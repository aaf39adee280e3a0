import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import disk from '../../../platform/adapters/local-disk/local-disk.ts';
import clock from '../../../platform/adapters/system-clock.ts';
import { openSqliteStore as openStore } from '../../adapters/store/sqlite-store.ts';
import type { JournalEvent } from '../../core/journal.ts';
import type { Run, StageResult, Trial } from '../../core/run.ts';
import type { Store } from '../../core/store.ts';
import { reindexHome } from './reindex-home.ts';

const machine = { id: 'm1', name: 'lab', facts: { cores: 2 } };
const run: Run = {
  id: '20260105-030700-abcd',
  kind: 'night',
  project: 'p',
  label: '01-05-2026-0307',
  state: 'running',
  startedAt: 1_767_582_425_123,
  seed: 7,
  machineId: 'm1',
  order: ['beta', 'alpha', 'gamma'],
  origin: 'measured',
  warnings: [],
};
const stage = (task: string, name: StageResult['stage'], more: Partial<StageResult> = {}): StageResult => ({
  task,
  kind: 'experiment',
  stage: name,
  success: true,
  message: '',
  extra: {},
  startedAt: 10,
  durationMs: 5,
  attempts: 1,
  ...more,
});
const begin: JournalEvent = { type: 'begin', run, machine, options: { build: true } };

async function reindexed(files: Record<string, string>, prepare?: (home: string) => void) {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-reindex-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  prepare?.(home);
  const store = await openStore(join(home, '.nightmark/index.db'));
  const report = await reindexHome({ home }, { disk, clock, store });
  return { home, store, report };
}

const journalFile = (id: string) => `.nightmark/runs/${id}/journal.ndjson`;
const journal = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const dataFile = (experiment: string, label: string) =>
  `results/experiments/data/${experiment}/data_${label}.json`;

async function valuesIn(store: Store) {
  const found: Record<string, unknown> = {};
  for (const { id, experiment, path } of await store.series({ limit: 100 })) {
    const { values, runIds } = await store.history(id, { limit: 100 });
    found[[experiment, ...path].join('/')] = [...values].map((value, index) => [runIds[index], value]);
  }
  return found;
}

test('a finished journal gives its run, trials and stages, and its data files belong to it', async () => {
  const trials: Trial[] = [
    {
      runId: run.id,
      task: 'alpha',
      kind: 'experiment',
      state: 'succeeded',
      message: '',
      commits: { tvm: 'abc' },
    },
  ];
  const end = { ...run, state: 'finished', endedAt: run.startedAt + 9 } as const;
  const stages = [stage('alpha', 'precheck', { startedAt: 1 }), stage('alpha', 'run')];
  const { store, report } = await reindexed({
    [journalFile(run.id)]: journal([
      begin,
      { type: 'step', step: 'clean' },
      ...stages.map((result) => ({ type: 'stage', result })),
      { type: 'end', run: end, trials },
    ]),
    [dataFile('alpha', run.label)]: '{"timestamp": "x", "cpu": {"A": 0.5}}',
  });
  assert.deepEqual(await store.latestRuns({ limit: 9 }), [end]);
  assert.deepEqual(await store.trialsOf([run.id]), trials);
  assert.deepEqual(await store.stagesOf(run.id), stages);
  assert.deepEqual(await store.machine('m1'), machine);
  assert.deepEqual(await valuesIn(store), { 'alpha/cpu/A': [[run.id, 0.5]] });
  assert.deepEqual(report, {
    runs: 1,
    journals: 1,
    dataFiles: 1,
    values: 1,
    sampleFiles: 0,
    telemetryFiles: 0,
    payloads: 0,
    changes: 0,
    failed: 0,
    problems: [],
  });
  store.close();
});

test('a journal without an end, cut in its last line, is an interrupted run with what was done', async () => {
  const events = [
    begin,
    { type: 'stage', result: stage('off', 'precheck', { message: 'Inactive' }) },
    { type: 'stage', result: stage('beta', 'run') },
    { type: 'stage', result: stage('beta', 'summarize') },
    { type: 'stage', result: stage('alpha', 'run', { success: false, message: 'broke' }) },
    { type: 'skip', task: 'late', kind: 'experiment', reason: 'alpha failed' },
    { type: 'stage', result: stage('site', 'run', { kind: 'subsystem' }) },
  ];
  const { store } = await reindexed({ [journalFile(run.id)]: `${journal(events)}{"type": "sta` });
  assert.equal((await store.run(run.id))?.state, 'interrupted');
  const states = (await store.trialsOf([run.id])).map(({ task, state, failedStage }) => [
    task,
    state,
    failedStage,
  ]);
  assert.deepEqual(states, [
    ['alpha', 'failed', 'run'],
    ['beta', 'succeeded', undefined],
    ['gamma', 'waiting', undefined],
    ['late', 'skipped', undefined],
    ['off', 'inactive', undefined],
    ['site', 'succeeded', undefined],
  ]);
  store.close();
});

test('data files without a journal become imported nights, examples where they say so', async () => {
  const { store, home } = await reindexed({
    [dataFile('alpha', '01-05-2026-0307')]: '{"cpu": 1, "tvm_hash": "6de6d63", "time_delta": "0:00:02.5"}',
    [dataFile('beta', '01-05-2026-0307')]: '{"cpu": 2, "time_delta": "soon", "example": true}',
    [dataFile('alpha', '01-06-2026-0307-2')]: '{"cpu": 3, "example": true}',
  });
  const at = (day: number) => new Date(2026, 0, day, 3, 7).getTime();
  const base = {
    kind: 'night',
    project: home.split('/').pop() ?? '',
    state: 'finished',
    order: [],
    warnings: [],
  };
  assert.deepEqual(await store.latestRuns({ limit: 9 }), [
    {
      ...base,
      id: '20260106-030700-data-2',
      label: '01-06-2026-0307-2',
      startedAt: at(6),
      origin: 'example',
    },
    { ...base, id: '20260105-030700-data', label: '01-05-2026-0307', startedAt: at(5), origin: 'imported' },
  ]);
  const trials = await store.trialsOf(['20260105-030700-data']);
  assert.deepEqual(
    trials.map(({ task, state, durationMs, commits }) => [task, state, durationMs, commits]),
    [
      ['alpha', 'succeeded', 2500, { tvm: '6de6d63' }],
      ['beta', 'succeeded', undefined, {}],
    ],
  );
  assert.deepEqual(await valuesIn(store), {
    'alpha/cpu': [
      ['20260105-030700-data', 1],
      ['20260106-030700-data-2', 3],
    ],
    'beta/cpu': [['20260105-030700-data', 2]],
  });
  store.close();
});

test('bad files are counted and named, and stop nothing', async () => {
  const bad = (name: string) => `results/experiments/data/alpha/${name}`;
  const { store, report } = await reindexed(
    {
      [bad('data_01-01-2026-0000.json')]: '',
      [bad('data_01-02-2026-0000.json')]: '{"cpu": ',
      [bad('data_01-03-2026-0000.json')]: '[1, 2]',
      [bad('data_13-01-2026-0000.json')]: '{}',
      [bad('data_02-30-2026-0000.json')]: '{}',
      [bad('data_01-04-2026-0000.json')]: '{}',
      [bad('notes.txt')]: 'hello',
      [bad('data_01-09-2026-0000.json')]: '{"cpu": 1, "raw": NaN}',
      [journalFile('no-json')]: 'oops\noops\noops\n',
      [journalFile('empty')]: '',
      [journalFile('no-run')]: '{"type": "begin"}\n{"type": "step"}\n',
      [journalFile('another')]: journal([begin]),
      [journalFile('hostile')]: journal([
        { type: 'begin', run: { ...run, id: 'hostile', label: { a: 1 } }, machine },
      ]),
      '.nightmark/runs/no-journal/log.txt': '',
    },
    (home) => {
      truncateSync(join(home, bad('data_01-04-2026-0000.json')), 3 * 1024 ** 3);
      symlinkSync('/etc/passwd', join(home, bad('data_01-05-2026-0000.json')));
      symlinkSync('nowhere', join(home, bad('data_01-06-2026-0000.json')));
    },
  );
  assert.equal(report.failed, 15);
  assert.equal(report.dataFiles, 1);
  const reasons = new Map(report.problems.map(({ file, reason }) => [file, reason]));
  const expected: [string, RegExp][] = [
    [bad('data_01-01-2026-0000.json'), /expected a value but found the end/],
    [bad('data_01-02-2026-0000.json'), /expected a value/],
    [bad('data_01-03-2026-0000.json'), /no JSON object/],
    [bad('data_13-01-2026-0000.json'), /invalid label of a night/],
    [bad('data_02-30-2026-0000.json'), /day that does not exist/],
    [bad('data_01-04-2026-0000.json'), /3072 MiB/],
    [bad('data_01-05-2026-0000.json'), /leaves its folder/],
    [bad('data_01-06-2026-0000.json'), /leads nowhere/],
    [bad('notes.txt'), /data_<label>/],
    [bad('data_01-09-2026-0000.json'), /Left out: raw: NaN/],
    [journalFile('no-json'), /has no beginning/],
    [journalFile('empty'), /no beginning/],
    [journalFile('no-run'), /Event 1/],
    [journalFile('another'), /run "20260105-030700-abcd"/],
    [journalFile('hostile'), /Event 1/],
    [journalFile('no-journal'), /not there/],
  ];
  for (const [file, reason] of expected) assert.match(reasons.get(file) ?? `nothing about ${file}`, reason);
  assert.equal(report.problems.length, expected.length);
  assert.deepEqual(await valuesIn(store), { 'alpha/cpu': [['20260109-000000-data', 1]] });
  store.close();
});

test('a folder that cannot be read is named', {
  skip: process.getuid?.() === 0 && 'root reads everything',
}, async () => {
  const { store, report } = await reindexed({ [dataFile('alpha', '01-05-2026-0307')]: '{}' }, (home) =>
    chmodSync(join(home, 'results/experiments/data/alpha'), 0),
  );
  assert.equal(report.problems[0]?.file, 'results/experiments/data/alpha');
  store.close();
});

test('samples and telemetry are read with the readers that are given', async () => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-reindex-'));
  const put = (path: string, text: string) => disk.writeText(join(home, path), text);
  const set = {
    benchmark: ['sort'],
    metric: 'time',
    unit: 's',
    better: 'lower',
    values: [1, 3],
    settings: {},
  } as const;
  await put(journalFile(run.id), journal([begin]));
  await put(`.nightmark/runs/${run.id}/samples/alpha.json`, JSON.stringify({ samples: [set] }));
  await put(`.nightmark/runs/${run.id}/samples/beta.json`, '{"samples": [{"metric": 1}]}');
  await put(dataFile('alpha', run.label), '{"sort": 2}');
  await put(`results/subsystem/telemetry/alpha/cpu/cpu-${run.label}.json`, 'recorded');
  await put('results/subsystem/telemetry/alpha/gpu/gpu-01-01-2020-0000.json', 'of no night');
  const store = await openStore(join(home, '.nightmark/index.db'));
  const columns = [
    { name: 'load', tags: {}, unit: '', times: Float64Array.of(run.startedAt), values: Float64Array.of(8) },
  ];
  const report = await reindexHome(
    { home },
    {
      disk,
      clock,
      store,
      sampleValues: (experiment, [first]) => [
        { experiment, path: first?.benchmark ?? [], value: 2, unit: first?.unit ?? '', better: 'lower' },
      ],
      readTelemetry: (text, origin) => {
        assert.deepEqual(
          [text, origin],
          ['recorded', { kind: 'cpu', experiment: 'alpha', startedAt: run.startedAt }],
        );
        return { columns };
      },
    },
  );
  assert.deepEqual(await store.samplesOf(run.id, 'alpha'), [set]);
  assert.deepEqual(await store.pointsOf(run.id), columns);
  assert.deepEqual(
    (await store.series({ limit: 9 })).map(({ path, unit, better }) => [path, unit, better]),
    [[['sort'], 's', 'lower']],
  );
  assert.deepEqual([report.sampleFiles, report.telemetryFiles, report.failed], [1, 1, 2]);
  store.close();
});

test('doing it twice gives the same, and what is gone from disk is gone from the index', async () => {
  const { store, home } = await reindexed({
    [dataFile('alpha', '01-05-2026-0307')]: '{"cpu": 1}',
    [dataFile('alpha', '01-06-2026-0307')]: '{"cpu": 2}',
  });
  const before = await valuesIn(store);
  await reindexHome({ home }, { disk, clock, store });
  assert.deepEqual(await valuesIn(store), before);
  await disk.remove(join(home, dataFile('alpha', '01-06-2026-0307')));
  await reindexHome({ home }, { disk, clock, store });
  assert.deepEqual(await valuesIn(store), { 'alpha/cpu': [['20260105-030700-data', 1]] });
  assert.equal(await store.countRuns(), 1);
  store.close();
});
