import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { seededRandom } from '../../../stats/random.ts';
import { type AnalysisRules, analyzeRegressions } from './analyze.ts';
import { methodNamed } from './methods.ts';
import { summarizeAnalysis } from './regression-summary.ts';
import { analysisJson } from './report-json.ts';
import { headline, reasonText } from './report-text.ts';
import type { CurrentTest, TestRecord } from './test-record.ts';

const TIME: KpiDefinition = {
  name: 'app_time',
  help: 'Time of a request',
  unit: 's',
  better: 'lower',
  isIgnoredForRegression: false,
};
const RULES: AnalysisRules = {
  comparison: { comparisonKeys: ['version'], ignoredKeys: ['os'], sortingKeys: [], ignoredEntries: {} },
  isCompat: false,
  minEffect: 0.01,
  kpiFilter: '',
};

let ids = 0;
function old(version: string, value: number | null, more: JsonObject = {}): TestRecord {
  const labels = { version, model: 'm1', ...more };
  return { testId: `old-${ids++}`, at: ids, labels, values: new Map([[TIME.name, value]]) };
}

function now(value: number | null, more: JsonObject = {}, definition = TIME): CurrentTest {
  const labels = { version: '9.0.0', model: 'm1', ...more };
  const testId = `now-${ids++}`;
  const values = [{ definition, value, labels, at: 0, testId }];
  return { testId, location: `results/${testId}`, labels, settings: {}, values };
}

function only(
  tests: readonly CurrentTest[],
  history: readonly TestRecord[],
  rules: Partial<AnalysisRules> = {},
) {
  const analysis = analyzeRegressions({ tests, history }, { ...RULES, ...rules });
  const entry = analysis.entries[0];
  const kpi = entry?.kpis[0];
  assert.ok(entry && kpi);
  return { analysis, entry, kpi };
}

const versions = (values: readonly (number | null)[]) =>
  values.map((value, at) => old(`1.${at + 1}.0`, value));
const hunter = methodNamed('hunter');
assert.ok(hunter);

test('a step of long ago is no regression: versions are no texts', () => {
  const { values, current } = JSON.parse(
    readFileSync('test/golden/matrix/expected/order_case.json', 'utf8'),
  ) as { values: Record<string, number>; current: number };
  const history = Object.entries(values).map(([version, value]) => old(version, value));
  assert.notEqual(only([now(current)], history).kpi.state, 'regression');
  assert.equal(
    only([now(current)], history, { method: hunter }).kpi.method?.description,
    'Inline (1 historical)',
  );
  const compat = only([now(current)], history, { method: hunter, isCompat: true });
  assert.equal(compat.kpi.method?.description, 'Regression');
  assert.equal(summarizeAnalysis(compat.analysis).failures, 1);
});

test('history agrees in all labels but those that are compared, ignored, or of one test', () => {
  const history = [
    old('1.0.0', 1),
    old('1.1.0', 2, { model: 'm2' }),
    old('1.2.0', 3, { os: 'other', run_id: 'x', extra: true }),
    old('9.0.0', 4),
  ];
  const { kpi, entry } = only([now(1, { os: 'mine', run_id: 'y' })], history);
  assert.deepEqual(
    kpi.history.map(({ value }) => value),
    [1, 3],
  );
  assert.deepEqual(entry.notes, [
    '1 tests of the history are of 9.0.0 itself: they are not used as a baseline.',
  ]);
});

test('a label without a value is like one that is missing, and like no other', () => {
  const history = [old('1.0.0', 1), old('1.1.0', 2, { gpu: null }), old('1.2.0', 3, { gpu: 'h100' })];
  assert.equal(only([now(1, { gpu: null })], history).entry.historyTests, 2);
  assert.equal(only([now(1, { gpu: 'h100' })], history).entry.historyTests, 1);
});

test('4 and "4" are two, and that is said', () => {
  const { entry } = only([now(1, { users: 4 })], [old('1.0.0', 1, { users: '4' })]);
  assert.equal(entry.historyTests, 0);
  assert.match(entry.notes.join(), /1 tests of the history differ in the type of a label only/);
});

test('names that are no versions are ordered by time', () => {
  const history = ['zeta', 'alpha', 'mid'].map((name, at) => old(name, at));
  const { kpi, entry } = only([now(1)], history);
  assert.equal(entry.order, 'time');
  assert.deepEqual(
    kpi.history.map(({ name }) => name),
    ['zeta', 'alpha', 'mid'],
  );
});

test('all tests of a version are one value, whatever the order of the files', () => {
  const history = [
    old('1.0.0', 10),
    old('1.0.0', 11),
    old('1.1.0', 10.5),
    old('1.1.0', 10.2),
    old('1.0.0', 9),
  ];
  const wanted = only([now(20)], [...history, old('1.2.0', 10)]);
  assert.deepEqual(
    wanted.kpi.history.map(({ name, value, testIds }) => [name, value, testIds.length]),
    [
      ['1.0.0', 10, 3],
      ['1.1.0', 10.35, 2],
      ['1.2.0', 10, 1],
    ],
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(history, { minLength: history.length }), (shuffled) => {
      const found = only([now(20)], [old('1.2.0', 10), ...shuffled]).kpi.history;
      assert.deepEqual(found.slice(0, 2), wanted.kpi.history.slice(0, 2));
    }),
    { numRuns: 30, seed: 1 },
  );
});

test('tests of one version in the current tree are judged as one value', () => {
  const history = versions([10, 10.1, 9.9, 10.05, 9.95]);
  const { kpi, analysis } = only(
    [now(12, { run_id: 'a' }), now(12.1, { run_id: 'b' }), now(12.05, { run_id: 'c' })],
    history,
  );
  assert.equal(analysis.entries.length, 1);
  assert.deepEqual([kpi.values, kpi.newest], [[12, 12.1, 12.05], [12.05]]);
  assert.deepEqual([kpi.state, kpi.verdict?.isProvisional], ['regression', true]);
  assert.equal(reasonText(kpi), '5 values at this level; provisional (3 tests, 1 value)');
  const json = analysisJson(analysis)['entries'] as { kpis: { estimand: string }[] }[];
  assert.equal(json[0]?.kpis[0]?.estimand, 'median');
});

test('repeats of a version that share their night are no evidence about other nights', () => {
  // Nights differ by 2 %, repeats by 0.2 %: the newest night is one of them.
  const night = (version: string, level: number) =>
    [-0.2, 0, 0.2, -0.1, 0.1].map((more) => old(version, level + more));
  const levels = [100, 102, 99, 101, 98, 100, 103, 99];
  const history = levels.flatMap((level, at) => night(`1.${at}.0`, level));
  const current = [102.4, 102.6, 102.5, 102.3, 102.7].map((value, at) => now(value, { run_id: `${at}` }));
  const { kpi } = only(current, history);
  assert.deepEqual([kpi.state, kpi.history.length], ['undecided', 8]);
  assert.equal(reasonText(kpi), '8 values (of 40 tests) at this level');
  const step = only(
    current.map((test) => ({ ...test, values: test.values.map((it) => ({ ...it, value: 120 })) })),
    history,
  );
  assert.equal(step.kpi.state, 'regression');
});

test('with fewer than three versions nights are the unit, and repeats never are', () => {
  const DAY = 86_400_000;
  const nights = (version: string, from: number, values: readonly number[]) =>
    values.map((value, at) => ({ ...old(version, value), at: (from + at) * DAY }));
  const history = [...nights('1.0.0', 0, [100, 101, 99, 100.5]), ...nights('1.1.0', 10, [100, 99.5, 101])];
  const { kpi } = only([now(120)], history);
  assert.deepEqual([kpi.state, kpi.history.length], ['regression', 7]);
  assert.match(kpi.notes.join(), /2 earlier versions are too few: 7 nights are compared instead/);
  const oneNight = [100, 101, 99, 100.5, 100].map((value) => old('1.0.0', value));
  assert.equal(only([now(120)], oneNight).kpi.state, 'too-few');
});

test('a mean of many repeats is no measure for a single one', () => {
  const random = seededRandom(3);
  const noise = () => 100 + 2 * Array.from({ length: 12 }, () => random()).reduce((a, b) => a + b, -6);
  let alarms = 0;
  for (let round = 0; round < 300; round++) {
    const history = Array.from({ length: 80 }, (_, at) => old(`1.${at % 8}.0`, noise()));
    if (only([now(noise())], history).kpi.state !== 'undecided') alarms++;
  }
  assert.ok(alarms <= 6, `${alarms} of 300`);
});

test('the first line says how many look changed and are held back, and how many are likely so', () => {
  const names = Array.from({ length: 60 }, (_, at) => `m${at}`);
  const history = names.flatMap((model) =>
    [100, 103, 98, 101].map((value, at) => old(`1.${at}.0`, value, { model })),
  );
  const tests = names.map((model, at) => now(at < 3 ? 119 : 100, { model }));
  const { analysis } = only(tests, history);
  assert.equal(
    headline(analysis),
    '60 KPI values of 60 entries by nightmark: 60 undecided (3 look worse, held back among 60).',
  );
  const likely = only([now(109)], versions([100, 101, 99, 100, 100.5, 99.5, 100, 100.2]), {
    minEffect: 0.08,
  });
  assert.deepEqual([likely.kpi.state, likely.kpi.likely], ['undecided', 'regression']);
  assert.match(headline(likely.analysis), /1 undecided \(1 likely worse\)\.$/);
});

test('a value that is missing in the history is left out with a note', () => {
  const { kpi } = only([now(10)], versions([10, null, 10.1, 9.9]));
  assert.equal(kpi.history.length, 3);
  assert.deepEqual(kpi.notes.slice(0, 1), ['1 tests of the history have no value: 1.2.0.']);
});

test('no value, no history and too little of it are distinguished, and are no pass', () => {
  const history = versions([10, 10.1, 9.9, 10]);
  const missing = only([now(null)], history);
  assert.equal(missing.kpi.state, 'no-value');
  assert.equal(summarizeAnalysis(missing.analysis).not_analyzed, 1);
  const first = only([now(10)], []);
  assert.equal(first.kpi.state, 'no-history');
  assert.equal(summarizeAnalysis(first.analysis).no_history, 1);
  assert.match(summarizeAnalysis(first.analysis).message, /1 entries had no history\.$/);
  assert.equal(only([now(10)], history.slice(0, 2)).kpi.state, 'too-few');
  assert.equal(only([now(null)], history, { method: hunter, isCompat: true }).kpi.state, 'inline');
});

test('an improvement is reported and is no failure', () => {
  const { analysis } = only([now(5)], versions([10, 10.1, 9.9, 10, 10.05]));
  const { failures, significant_performance_increase: better } = summarizeAnalysis(analysis);
  assert.deepEqual({ failures, better }, { failures: 0, better: 1 });
});

test('a KPI without direction changes, is no failure, and is a warning', () => {
  const definition: KpiDefinition = { ...TIME, better: 'unknown' };
  const history = versions([10, 10.1, 9.9, 10, 10.05]);
  for (const method of [undefined, hunter]) {
    const { kpi, analysis } = only([now(20, {}, definition)], history, { ...(method && { method }) });
    assert.equal(kpi.state, 'changed');
    assert.equal(summarizeAnalysis(analysis).failures, 0);
    assert.match(analysis.warnings.join(), /app_time has no direction/);
  }
});

test('of a single entry the counts are right, and with compat those of the original', () => {
  const memory: KpiDefinition = { ...TIME, name: 'app_memory' };
  const both = now(50);
  const values = [...both.values, ...now(1, {}, memory).values];
  const history = versions([10, 10.1, 9.9, 10, 10.05]).map((record) => ({
    ...record,
    values: new Map([...record.values, ['app_memory', 1]] as const),
  }));
  const tests = [{ ...both, values }];
  const ours = summarizeAnalysis(only(tests, history).analysis);
  assert.equal(ours.kpis_count, 2);
  assert.match(ours.message, / 1 KPIs had a significant performance decrease\.$/);
  const compat = summarizeAnalysis(only(tests, history, { method: hunter, isCompat: true }).analysis);
  assert.equal(compat.kpis_count, 3);
  assert.match(compat.message, / 0 KPIs had a significant performance decrease\. $/);
});

test('lists, ignored KPIs and those not asked for are named', () => {
  const list = now(1);
  const values = [
    { ...(list.values[0] as (typeof list.values)[number]), value: [1, 2] },
    ...now(1, {}, { ...TIME, name: 'never', isIgnoredForRegression: true }).values,
    ...now(1, {}, { ...TIME, name: 'wanted' }).values,
    ...now(1, {}, { ...TIME, name: 'other' }).values,
  ];
  const { analysis } = only([{ ...list, values }], [], { kpiFilter: 'want' });
  assert.deepEqual(analysis.left, {
    entries: [],
    ignoredKpis: ['never'],
    listKpis: ['app_time'],
    filteredKpis: ['other'],
  });
});

test('A/A with 3 or 4 points raises at most 1.6 % alarms, and a shift of 20 % is flagged', () => {
  const random = seededRandom(11);
  const noise = (percent: number) => {
    const sum = Array.from({ length: 12 }, () => random()).reduce((a, b) => a + b, -6);
    return 100 * (1 + (percent / 100) * sum);
  };
  let alarms = 0;
  let found = 0;
  const rounds = 4000;
  for (let round = 0; round < rounds; round++) {
    const points = Array.from({ length: 3 + (round % 2) }, () => noise(1));
    const stateOf = (value: number) => only([now(value)], versions(points)).kpi.state;
    const state = stateOf(noise(1));
    if (state === 'regression' || state === 'improvement') alarms++;
    if (round < 500 && stateOf(noise(1) * 1.2) === 'regression') found++;
  }
  assert.ok(alarms / rounds <= 0.016, `${alarms} of ${rounds}`);
  assert.ok(found / 500 >= 0.9, `${found} of 500`);
});

test('a bad level is no reference while its regression is open, and is one when it was accepted', () => {
  const history = versions([10, 10.1, 9.9, 10.05, 9.95, 10, 13, 13.1, 12.9, 13.05, 12.95]);
  const testId = history[6]?.testId ?? '';
  const open = [{ id: 'k3f9x2a', kpi: TIME.name, testId }];
  const held = only([now(13)], history, { open });
  assert.equal(held.kpi.state, 'regression');
  assert.equal(held.kpi.history.length, 6);
  assert.match(held.kpi.notes.join(' '), /The reference ends before 1\.7\.0: .*\(k3f9x2a\)/);
  const accepted = only([now(13)], history);
  assert.notEqual(accepted.kpi.state, 'regression');
  const other = only([now(13)], history, { open: [{ id: 'x', kpi: 'other', testId }] });
  assert.equal(other.kpi.history.length, 11);
  const compat = only([now(13)], history, { open, isCompat: true, method: hunter });
  assert.equal(compat.kpi.history.length, 11, 'the original learns a bad level');
});

test('labels that changed with a regression are named beside it, those that are compared are not', () => {
  const history = [10, 10.1, 9.9, 10.05, 9.95, 10].map((value, at) => old(`1.${at}.0`, value, { os: 'el8' }));
  const { kpi } = only([now(14, { os: 'el9' })], history);
  assert.equal(kpi.state, 'regression');
  assert.match(kpi.explanation ?? '', /os.*el8.*el9/);
  assert.doesNotMatch(kpi.explanation ?? '', /version/);
  const other = only([now(14, { os: 'el8', urls: { SRC: 'http://x/2' }, run_id: 'b' })], history);
  assert.equal(other.kpi.explanation, undefined, 'bookkeeping of a test explains nothing');
  assert.equal(only([now(14, { os: 'el8' })], history).kpi.explanation, undefined);
  assert.equal(only([now(10, { os: 'el9' })], history).kpi.explanation, undefined, 'nothing to explain');
});
