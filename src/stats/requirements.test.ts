import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrap, bootstrapMean, bootstrapMeanDifference } from './bootstrap.ts';
import {
  hierarchicalDifference,
  hierarchicalMean,
  hierarchicalPairedDifference,
} from './hierarchical-bootstrap.ts';
import { geometricMean, logarithms, trimmedMean, winsorizedMean } from './means.ts';
import { seededRandom } from './random.ts';
import { mannWhitney, signedRankInterval, signedRankTest } from './rank-tests.ts';
import { medianAbsoluteDeviation, medianShift, pseudoMedian, qnScale } from './robust-estimates.ts';
import { mean, momentsOf } from './summary.ts';
import { equivalenceTest, meanTest, pairedTest, welchTest } from './t-tests.ts';

const options = { level: 0.95, resamples: 10, random: seededRandom(1) };
const good = Float64Array.of(1, 2, 3);

/** Everything that takes a sample, with the number of values it needs. */
const takers: readonly (readonly [string, number, (values: Float64Array) => unknown])[] = [
  ['momentsOf', 2, momentsOf],
  ['meanTest', 2, (values) => meanTest(values, options)],
  ['pairedTest', 2, (values) => pairedTest(values, values, options)],
  ['welchTest a', 2, (values) => welchTest(values, good, options)],
  ['welchTest b', 2, (values) => welchTest(good, values, options)],
  ['equivalenceTest', 2, (values) => equivalenceTest(values, 0.01)],
  ['bootstrapMean', 2, (values) => bootstrapMean(values, options)],
  ['bootstrap', 2, (values) => bootstrap(values, mean, options)],
  ['bootstrapMeanDifference a', 2, (values) => bootstrapMeanDifference({ a: values, b: good }, options)],
  ['bootstrapMeanDifference b', 2, (values) => bootstrapMeanDifference({ a: good, b: values }, options)],
  ['hierarchicalMean', 1, (values) => hierarchicalMean([good, values], options)],
  [
    'hierarchicalDifference',
    1,
    (values) => hierarchicalDifference({ a: [good, good], b: [good, values] }, options),
  ],
  ['qnScale', 2, qnScale],
  ['medianAbsoluteDeviation', 1, medianAbsoluteDeviation],
  ['trimmedMean', 1, (values) => trimmedMean(values, 0.1)],
  ['winsorizedMean', 1, (values) => winsorizedMean(values, 0.1)],
  ['geometricMean', 1, geometricMean],
  ['logarithms', 1, logarithms],
  ['pseudoMedian', 1, pseudoMedian],
  ['medianShift a', 1, (values) => medianShift(values, good)],
  ['medianShift b', 1, (values) => medianShift(good, values)],
  ['mannWhitney a', 1, (values) => mannWhitney(values, good)],
  ['mannWhitney b', 1, (values) => mannWhitney(good, values)],
  ['signedRankTest', 1, signedRankTest],
  ['signedRankInterval', 1, (values) => signedRankInterval(values, 0.95)],
];

for (const [name, least, take] of takers) {
  test(`${name} takes ${least} finite values or more, and says what is wrong with others`, () => {
    assert.doesNotThrow(() => take(Float64Array.of(1, 2)));
    assert.throws(() => take(new Float64Array(0)), { code: 'STATS_NO_VALUES', message: /: 0 values/ });
    if (least === 1) assert.doesNotThrow(() => take(Float64Array.of(1)));
    else
      assert.throws(() => take(Float64Array.of(1)), {
        code: 'STATS_TOO_FEW_VALUES',
        message: /^1 of at least 2/,
      });
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.throws(() => take(Float64Array.of(1, bad, 2, bad)), {
        code: 'STATS_NOT_FINITE',
        message: `2 of 4 values are not finite; the first is ${bad} at 2.`,
      });
    }
  });
}

test('levels, margins, shares, resamples and pairs that cannot be are refused', () => {
  for (const level of [0, 1, 95, Number.NaN]) {
    assert.throws(() => meanTest(good, { level }), { code: 'STATS_LEVEL' });
    assert.throws(() => signedRankInterval(good, level), { code: 'STATS_LEVEL' });
    assert.throws(() => bootstrapMean(good, { ...options, level }), { code: 'STATS_LEVEL' });
  }
  for (const margin of [0, -0.01, Number.NaN]) {
    assert.throws(() => equivalenceTest(good, margin), { code: 'STATS_MARGIN' });
  }
  for (const share of [-0.1, 0.5, Number.NaN]) {
    assert.throws(() => trimmedMean(good, share), { code: 'STATS_TRIM' });
  }
  for (const resamples of [0, 1.5, Number.NaN]) {
    assert.throws(() => bootstrapMean(good, { ...options, resamples }), { code: 'STATS_RESAMPLES' });
  }
  const four = Float64Array.of(1, 2, 3, 4);
  assert.throws(() => pairedTest(good, four, options), { code: 'STATS_NOT_PAIRED', message: /3 and 4/ });
  assert.throws(() => hierarchicalMean([good], options), { code: 'STATS_TOO_FEW_VALUES' });
  assert.throws(() => hierarchicalPairedDifference({ a: [good, good], b: [good, good, good] }, options), {
    code: 'STATS_NOT_PAIRED',
    message: /2 and 3/,
  });
});
