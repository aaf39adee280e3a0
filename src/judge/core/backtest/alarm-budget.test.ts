import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeNewest } from '../newest/judge-newest.ts';
import { budgetThresholds } from './alarm-budget.ts';

const DAY = 86_400_000;
const random = seededRandom(31);
const steady = (nights: number, noise = 0.02) => ({
  values: Float64Array.from(
    { length: nights },
    () => 100 * (1 + noise * normalQuantile(Math.max(1e-9, random()))),
  ),
  times: Float64Array.from({ length: nights }, (_, night) => night * DAY),
});
/** One night in twenty is an outlier of any size. */
const wild = (nights: number) => {
  const { values, times } = steady(nights);
  return { values: values.map((value) => (random() < 0.05 ? value * (1 + random() ** 2) : value)), times };
};

test('replays long histories and keeps the budget on nights that it has not seen', () => {
  const histories = Array.from({ length: 20 }, () => wild(200));
  const found = budgetThresholds(histories, { count: 1, perDays: 7 });
  assert.equal(found.source, 'replayed');
  assert.ok(Math.abs(found.judgedPerDay - 20) < 1e-9);
  assert.ok(found.expected <= 1, `${found.expected}`);
  const replayed = found.replayed;
  assert.ok(replayed !== undefined && replayed.low <= replayed.share && replayed.share <= replayed.high);
  let alarms = 0;
  const weeks = 30;
  for (let series = 0; series < 20; series++) {
    const { values } = wild(30 + weeks * 7);
    for (let night = 30; night < values.length; night++) {
      const input = {
        history: values.subarray(night - 30, night),
        newest: values.subarray(night, night + 1),
      };
      const { verdict } = judgeNewest({ ...input, better: 'lower' }, { falseAlarms: found.falseAlarms });
      if (verdict === 'slower' || verdict === 'faster') alarms++;
    }
  }
  assert.ok(alarms / weeks <= 1.6, `${alarms} alarms in ${weeks} weeks at ${found.falseAlarms}`);
});

test('with little history it says so and computes', () => {
  const found = budgetThresholds([steady(8)], { count: 1, perDays: 365 });
  assert.equal(found.source, 'computed');
  assert.ok(Math.abs(found.falseAlarms - 1 / 365) < 1e-6, `${found.falseAlarms}`);
  assert.match(found.notes.join(), /^5 values could be replayed, too few/);
});

test('the detector gets as strict as its replay asks for', () => {
  const histories = Array.from({ length: 10 }, () => steady(100));
  const { detector, maxP } = budgetThresholds(histories, { count: 1, perDays: 7 });
  assert.equal(detector?.values, 1000);
  assert.equal(maxP, detector?.maxP);
  assert.ok((detector?.changes ?? 0) <= 1000 / 70, `${detector?.changes} changes in steady series`);
  assert.equal(budgetThresholds([steady(20)], { count: 1, perDays: 7 }).detector, undefined);
});

test('a generous budget does not make the judge milder than its default', () => {
  assert.equal(budgetThresholds([steady(60)], { count: 50, perDays: 1 }).falseAlarms, 0.01);
});

test('real changes are no false alarms', () => {
  const { values, times } = steady(200, 0.01);
  const stepped = values.map((value, night) => (night < 100 ? value : value * 1.3));
  const [plain, changed] = [values, stepped].map((one) =>
    budgetThresholds([{ values: one, times }], { count: 1, perDays: 30 }),
  );
  assert.ok(Math.abs((plain?.falseAlarms ?? 0) - (changed?.falseAlarms ?? 1)) < 0.005);
});

test('without times, without values, without series there is a default and a reason', () => {
  assert.match(budgetThresholds([], { count: 1, perDays: 7 }).notes.join(), /cadence is unknown/);
  const none = { values: new Float64Array(0), times: new Float64Array(0) };
  assert.equal(budgetThresholds([none], { count: 1, perDays: 7 }).falseAlarms, 0.01);
});
