import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { findChanges } from './find-changes.ts';

/** Around 100 with normal noise of deviation 1, neighbours correlated by `memory`, plus what `course` says. */
function series(count: number, seed: number, course: (index: number) => number, memory = 0): Float64Array {
  const random = seededRandom(seed);
  let last = 0;
  return Float64Array.from({ length: count }, (_, index) => {
    last = memory * last + Math.sqrt(1 - memory ** 2) * normalQuantile(random() * 0.9999 + 0.00005);
    return 100 + last + course(index);
  });
}

function walk(count: number, seed: number): Float64Array {
  let last = 100;
  return series(count, seed, () => 0).map((value) => (last += value - 100));
}

const SERIES = 150;

/** In how many of so many series a drift is told, and how often its interval holds the slope. */
function tell(make: (seed: number) => Float64Array, slope = 0) {
  let [told, held] = [0, 0];
  for (let seed = 1; seed <= SERIES; seed++) {
    const drifts = findChanges({ values: make(seed) }).levels.flatMap(({ drift }) => drift ?? []);
    if (drifts.length > 0) told++;
    held += drifts.filter(({ perPoint }) => perPoint.low <= slope && perPoint.high >= slope).length;
  }
  return { told, held };
}

describe('a drift', () => {
  test('is reported of the level that drifts, with its slope, its interval and its part of the level', () => {
    const values = series(200, 1, (index) => index / 20);
    const { levels, changes } = findChanges({ values });
    assert.deepEqual(changes, []);
    const [{ drift, value } = assert.fail()] = levels;
    assert.ok(drift);
    assert.deepEqual([drift.start, drift.end, drift.perPoint.level], [0, 200, 0.95]);
    const { low, high, difference, relative } = drift.perPoint;
    assert.ok(low < 0.05 && high > 0.05 && high - low < 0.02, `${low} to ${high}`);
    assert.equal(relative?.change, difference / value);
    assert.ok(drift.p < 1e-9);
  });

  test('is found when it is clear, and its interval holds the slope about as often as it says', () => {
    for (const [slope, memory] of [
      [0.05, 0],
      [0.1, 0.4],
    ] as const) {
      const { told, held } = tell((seed) => series(150, seed, (index) => slope * index, memory), slope);
      assert.ok(told >= 0.85 * SERIES, `${told} at ${slope}`);
      assert.ok(held / told > 0.91, `${held} of ${told} at ${slope}`);
    }
  });

  test('is not told of noise, of noise in which neighbours resemble each other, and of steps small or large', () => {
    assert.equal(tell((seed) => series(150, seed, () => 0)).told, 0);
    assert.ok(tell((seed) => series(150, seed, () => 0, 0.6)).told <= 1);
    for (const height of [0.5, 1, 3])
      assert.ok(tell((seed) => series(100, seed, (index) => (index < 50 ? 0 : height))).told <= 2);
  });

  test('is rarely told of a random walk, which has no slope however far it went', () => {
    const { told } = tell((seed) => walk(150, seed));
    assert.ok(told <= 0.03 * SERIES, `${told} of ${SERIES}`);
  });

  test('before or after a step is that of its level, in indices of the series with its gaps', () => {
    const values = series(160, 2, (index) => (index < 80 ? index / 5 : 40));
    values[3] = Number.NaN;
    values[159] = Number.NaN;
    const { levels } = findChanges({ values });
    assert.deepEqual(
      levels.map(({ start, drift }) => [start, drift?.start, drift?.end]),
      [
        [0, 0, 80],
        [80, undefined, undefined],
      ],
    );
  });

  test('outliers do not turn it', () => {
    const values = series(150, 3, (index) => index / 10);
    for (const at of [10, 11, 40, 90]) values[at] = 1e6;
    const [level] = findChanges({ values }).levels;
    const { low = 0, high = 0 } = level?.drift?.perPoint ?? {};
    assert.ok(low < 0.1 && high > 0.1 && high - low < 0.02, `${low} to ${high}`);
  });

  test('without any noise is exact; level values have none', () => {
    const [ramp] = findChanges({ values: Float64Array.from({ length: 50 }, (_, i) => 100 + i) }).levels;
    const { low, high, difference } = ramp?.drift?.perPoint ?? {};
    assert.deepEqual([low, difference, high, ramp?.drift?.p], [1, 1, 1, 0]);
    assert.equal(findChanges({ values: new Float64Array(50).fill(7) }).levels[0]?.drift, undefined);
  });

  test('across zero has no part of the level, and a small one is of no interest when people say so', () => {
    const values = series(100, 4, (index) => index / 10 - 105);
    const drift = findChanges({ values }).levels[0]?.drift;
    assert.ok(drift && drift.perPoint.relative === undefined);
    const slow = series(200, 5, (index) => index / 40);
    assert.ok(findChanges({ values: slow }).levels[0]?.drift);
    assert.equal(findChanges({ values: slow }, { minEffect: 0.1 }).levels[0]?.drift, undefined);
    assert.equal(findChanges({ values: slow }, { minDifference: 8 }).levels[0]?.drift, undefined);
  });

  test('a factor, also a negative one, changes its unit and nothing else; weights that are all the same nothing', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom(-1, 0.25, -8, 1024), (seed, factor) => {
        const values = series(120, seed, (index) => index / 12);
        const slopes = (scaled: Float64Array, weights?: Float64Array) =>
          findChanges({ values: scaled, ...(weights && { weights }) }).levels.map(({ drift }) => [
            drift?.perPoint.difference,
            drift?.p,
          ]);
        const plain = slopes(values);
        assert.deepEqual(
          slopes(values.map((value) => value * factor)),
          plain.map(([slope, p]) => [slope === undefined ? undefined : slope * factor, p]),
        );
        assert.deepEqual(slopes(values, new Float64Array(120).fill(4)), plain);
      }),
      { numRuns: 40, seed: 5 },
    );
  });
});
