import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeMany } from '../newest/judge-many.ts';
import { judgeNewest } from '../newest/judge-newest.ts';
import type { RegressionMethod } from '../regression/regression-method.ts';
import { backtest } from './backtest.ts';
import { nightmarkMethod, oneSd } from './backtest-methods.ts';
import type { BacktestHistory } from './replay-history.ts';

const DAY = 86_400_000;

function history(nights: number, steps: Readonly<Record<number, number>> = {}, seed = 3): BacktestHistory {
  const random = seededRandom(seed);
  let level = 100;
  const values = Float64Array.from({ length: nights }, (_, night) => {
    level *= steps[night] ?? 1;
    return level * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));
  });
  const times = Float64Array.from(values, (_, night) => night * DAY);
  return { name: `s${seed}`, values, times, lowerBetter: true, triaged: [] };
}

test('finds the steps that people confirmed, at once and once each', () => {
  const one = { ...history(90, { 30: 1.1, 60: 1.2 }), triaged: confirmed(30, 60) };
  const found = backtest([one], nightmarkMethod());
  assert.deepEqual(
    found.alerts.map(({ index, triage }) => [index, triage]),
    [
      [30, 'true'],
      [60, 'true'],
    ],
  );
  assert.equal(found.precision?.share, 1);
  assert.equal(found.found?.count, 2);
  assert.deepEqual(found.medianDelay, { values: 0, days: 0 });
  // The third value of a new level has two before it: too few to judge it by.
  assert.equal(found.judged, 85);
  assert.ok(Math.abs((found.alertsPerWeek ?? 0) - 2 / (89 / 7)) < 1e-12);
});

test('shows what one standard deviation would have cost', () => {
  const steady = Array.from({ length: 10 }, (_, seed) => history(100, {}, seed + 50));
  const [old, ours] = [backtest(steady, oneSd), backtest(steady, nightmarkMethod())];
  assert.ok(old.alerts.length > 80, `${old.alerts.length}`);
  assert.ok(ours.alerts.length <= 3, `${ours.alerts.length}`);
});

test('improvements are no alerts, unless the direction is not known', () => {
  const better = history(60, { 40: 0.8 });
  assert.deepEqual(backtest([better], nightmarkMethod()).alerts, []);
  const unknown = backtest([{ ...better, lowerBetter: undefined }], nightmarkMethod());
  assert.equal(unknown.alerts[0]?.index, 40);
});

test('an alert on a change that people called false counts against the method', () => {
  const one = {
    ...history(90, { 30: 1.1, 60: 1.2 }),
    triaged: [...confirmed(30), { index: 60, triage: 'false' as const }],
  };
  const { precision } = backtest([one], nightmarkMethod());
  assert.equal(precision?.count, 1);
  assert.equal(precision?.of, 2);
});

test('gaps keep their place and are counted', () => {
  const { values, ...rest } = history(90, { 30: 1.3 });
  const holes = values.map((value, night) => (night % 10 === 5 ? Number.NaN : value));
  const found = backtest([{ ...rest, values: holes }], nightmarkMethod());
  assert.equal(found.gaps, 9);
  assert.equal(found.alerts[0]?.index, 30);
});

test('a method sees at most what came before, and a value costs the same late as early', () => {
  const seen: number[] = [];
  const spy = {
    ...oneSd,
    judge: (past: Float64Array) => ({ accepted: seen.push(past.length) > 0, description: '', details: {} }),
  };
  assert.equal(backtest([history(20)], spy).judged, 17);
  assert.deepEqual([seen[0], seen.at(-1)], [3, 19]);
  const long = history(1000);
  const method = nightmarkMethod();
  const whole = method.judge(long.values.subarray(0, 999), 104, { lowerBetter: true });
  assert.deepEqual(method.judge(long.values.subarray(799, 999), 104, { lowerBetter: true }), whole);
});

/** The judge of the newest value, milder than usual and without the detector: the whole past is one level. */
const MILD = { falseAlarms: 0.3 };
const mild: RegressionMethod = {
  name: 'mild',
  judge(past, current) {
    const found = judgeNewest({ history: past, newest: Float64Array.of(current), better: 'lower' }, MILD);
    const { verdict, p = 1 } = found;
    const improved = verdict === 'faster';
    return { accepted: verdict !== 'slower' && !improved, improved, p, description: verdict, details: {} };
  },
};

test('among many series what chance alone would show is held back', () => {
  const calm = Array.from({ length: 60 }, (_, seed) => history(30, {}, seed + 500));
  const alone = calm.reduce((sum, one) => sum + backtest([one], mild).alerts.length, 0);
  const found = backtest(calm, mild);
  assert.ok(alone >= 8, `${alone} alerts where each series is judged alone`);
  assert.ok(found.alerts.length <= 1, `${found.alerts.length} together, ${alone} alone`);
  assert.ok(found.heldBack >= alone - found.alerts.length, String(found.heldBack));
  const real = backtest([...calm, history(30, { 25: 1.3 }, 9)], mild);
  assert.deepEqual(
    real.alerts.filter(({ series }) => series === 's9').map(({ index }) => index),
    [25],
    'a large step is told among any number of series',
  );
  assert.equal(backtest(calm, oneSd).heldBack, 0, 'a method that tells no p holds nothing back');
});

test('the same is held back as the judge would have held back on that night', () => {
  const last = 39;
  const step = (seed: number) => (seed % 20 === 0 ? 1.06 : 1);
  const many = Array.from({ length: 80 }, (_, seed) => history(last + 1, { [last]: step(seed) }, seed + 90));
  const inputs = many.map(({ values, name }) => {
    const [past, newest] = [values.subarray(0, last), values.subarray(last)];
    return { id: name, history: past, newest, better: 'lower' as const };
  });
  const { verdicts } = judgeMany(inputs, MILD);
  const told = verdicts.filter(({ verdict }) => verdict === 'slower').map(({ id }) => id);
  const single = inputs.filter((input) => judgeNewest(input, MILD).verdict === 'slower');
  const { alerts, heldBack } = backtest(many, mild, { since: last * DAY });
  assert.deepEqual(
    alerts.map(({ series }) => series),
    told,
  );
  assert.ok(told.length >= 3 && heldBack > 0, `${told.length} told`);
  assert.equal(heldBack, single.length - told.length);
});

test('nothing to replay is no error', () => {
  const none = { alerts: [], judged: 0, notJudged: 0, gaps: 0, heldBack: 0 };
  assert.deepEqual(backtest([], oneSd), { method: 'one-sd', ...none });
});

function confirmed(...places: readonly number[]) {
  return places.map((index) => ({ index, triage: 'true' as const }));
}
