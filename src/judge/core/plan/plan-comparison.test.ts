import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanInput } from './plan.ts';
import { planComparison } from './plan-comparison.ts';
import { assumedPairs, historyNoise, iterationNoise, measuredPairs } from './plan-noise.ts';
import { planSentence } from './plan-sentences.ts';

const aim = { detect: 0.01, power: 0.9, level: 0.95 };

function inputOf(between: number, within: number, over: Partial<PlanInput> = {}): PlanInput {
  const alone = { between, within };
  const time = { fixed: 10, each: 2 };
  return { alone, pairs: assumedPairs(alone), iterations: 30, mayChoose: true, time, ...over };
}

test('says runs, iterations and minutes, alone and as duets, and what five minutes can show', () => {
  const plan = planComparison(inputOf(0.0001, 0.0004), aim, 5);
  assert.equal(
    planSentence(plan),
    '42 runs of 5 iterations a side, about 28 min; as duets 11 runs, about 3 min 40 s. In 5 minutes you can see 2.6 %, as duets 0.79 %.',
  );
});

test('keeps the iterations where others save little', () => {
  const { alone } = planComparison(inputOf(0.0001, 0.01), aim, 5);
  assert.equal(alone?.iterations, 30);
});

test('does not propose other iterations where nobody knows their times', () => {
  const { alone } = planComparison(inputOf(0.0001, 0.0004, { mayChoose: false }), aim, 5);
  assert.equal(alone?.iterations, 30);
});

test('a time into which no comparison fits shows nothing', () => {
  const plan = planComparison(inputOf(0.0001, 0.0004, { mayChoose: false }), aim, 1);
  assert.deepEqual(plan.inTime, {});
  assert.match(planSentence(plan), /In 1 minute there is no comparison: 5 runs do not fit\.$/);
});

test('without a duration there are runs but no minutes', () => {
  const { time: _, ...rest } = inputOf(0.0001, 0);
  assert.equal(
    planSentence(planComparison({ ...rest, iterations: 1 }, aim, 5)),
    '24 runs a side; as duets 7 runs.',
  );
});

test('noise that was learned from few nights needs more runs, and what must be surely beyond an effect too', () => {
  const known = planComparison(inputOf(0.0001, 0, { mayChoose: false }), aim, 5);
  const learned = (freedom: number) =>
    planComparison(
      inputOf(0.0001, 0, { mayChoose: false, alone: { between: 0.0001, within: 0, freedom } }),
      aim,
      5,
    );
  assert.deepEqual([known.alone?.runs, learned(60).alone?.runs, learned(4).alone?.runs], [24, 25, 46]);
  const beyond = planComparison(
    inputOf(0.0001, 0, { mayChoose: false }),
    { ...aim, detect: 0.02, minEffect: 0.01 },
    5,
  );
  assert.equal(beyond.alone?.runs, 25, 'the distance of 2 % from 1 % is a little less than 1 %');
});

test('a step in the history is no noise', () => {
  const noise = [0.1, -0.3, 0.2, 0.4, -0.2, -0.1, 0.3, -0.4, 0.05, -0.15, 0.25, -0.2];
  const values = Float64Array.from([...noise.map((x) => 100 + x), ...noise.map((x) => 150 + x)]);
  const found = historyNoise(values);
  assert.ok(found.state === 'known' && Math.sqrt(found.variance) < 0.004, JSON.stringify(found));
});

test('neighbours that resemble each other are reported', () => {
  const values = Float64Array.from({ length: 60 }, (_, k) => 100 + Math.sin(k / 4) + 0.1 * Math.sin(k * 7));
  const found = historyNoise(values);
  assert.ok(found.state === 'known' && found.correlation > 0.3, JSON.stringify(found));
});

test('what has no spread is distinguished', () => {
  const reason = (...values: number[]) => {
    const found = historyNoise(Float64Array.from(values));
    return found.state === 'unknown' ? found.reason : 'known';
  };
  assert.equal(reason(), 'none');
  assert.equal(reason(Number.NaN), 'none');
  assert.equal(reason(3), 'one');
  assert.equal(reason(3, 3, 3), 'equal');
  assert.equal(reason(3, 0, 4), 'not-positive');
  assert.equal(reason(3, 4), 'known');
});

test('iterations are known by the spread of their middle', () => {
  const run = Float64Array.from([1, 1.01, 0.99, 1.02, 0.98, 50]);
  const found = iterationNoise([run, run]);
  assert.equal(found?.iterations, 6);
  assert.ok((found?.within ?? 1) < 0.002, `${found?.within}`);
  assert.equal(iterationNoise([Float64Array.of(1, 2)]), undefined);
});

test('pairs are measured in blocks of a run, and not from too few or unequal ones', () => {
  const a = Array.from({ length: 20 }, (_, k) => 1 + (k % 3) / 100);
  const b = Array.from({ length: 20 }, (_, k) => 1 + (k % 4) / 100);
  assert.ok((measuredPairs(a, b, 1)?.between ?? 0) > (measuredPairs(a, b, 4)?.between ?? 1));
  assert.equal(measuredPairs(a, b, 5), undefined);
  assert.equal(measuredPairs(a, b.slice(1), 1), undefined);
});
