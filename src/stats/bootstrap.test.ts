import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrap, bootstrapMean, bootstrapMeanDifference, bootstrapTwoSamples } from './bootstrap.ts';
import {
  hierarchicalDifference,
  hierarchicalMean,
  hierarchicalPairedDifference,
} from './hierarchical-bootstrap.ts';
import { seededRandom } from './random.ts';
import { mean, median } from './summary.ts';

const level = 0.95;
const methods = ['percentile', 'bca'] as const;
const sample = (count: number, seed: number) => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => random() + random() - random() - random());
};

for (const method of methods) {
  const options = (seed: number, resamples = 999) => ({
    level,
    method,
    resamples,
    random: seededRandom(seed),
  });

  test(`${method}: the same seed gives the same limits, another one others`, () => {
    const values = sample(15, 1);
    assert.deepEqual(bootstrapMean(values, options(1)), bootstrapMean(values, options(1)));
    assert.notDeepEqual(bootstrapMean(values, options(1)), bootstrapMean(values, options(2)));
  });

  test(`${method}: equal values give a point, not NaN`, () => {
    const same = new Float64Array(7).fill(0.1);
    const point = { low: 0.1, high: 0.1, level };
    assert.deepEqual(bootstrapMean(same, options(1)), point);
    assert.deepEqual(bootstrap(same, median, options(1)), point);
    assert.deepEqual(bootstrapMeanDifference({ a: same, b: same }, options(1)), { low: 0, high: 0, level });
    const ratio = (a: Float64Array, b: Float64Array) => median(a) / median(b);
    assert.deepEqual(bootstrapTwoSamples({ a: same, b: same }, ratio, options(1)), {
      low: 1,
      high: 1,
      level,
    });
  });

  test(`${method}: a statistic that every resample is on one side of has limits all the same`, () => {
    const { low, high } = bootstrap(sample(12, 2), (values) => Math.min(...values), options(3));
    assert.ok(Number.isFinite(low) && Number.isFinite(high) && low <= high);
    const { low: one, high: other } = bootstrapMean(sample(2, 2), options(3, 1));
    assert.ok(Number.isFinite(one) && one === other);
  });

  test(`${method}: the fast way for means is the slow one`, () => {
    const [a, b] = [sample(11, 4), sample(14, 5)];
    const close = (one: { low: number; high: number }, other: { low: number; high: number }) =>
      assert.ok(Math.abs(one.low - other.low) + Math.abs(one.high - other.high) < 1e-14);
    close(bootstrapMean(a, options(6)), bootstrap(a, mean, options(6)));
    const difference = (x: Float64Array, y: Float64Array) => mean(x) - mean(y);
    close(
      bootstrapMeanDifference({ a, b }, options(6)),
      bootstrapTwoSamples({ a, b }, difference, options(6)),
    );
  });

  test(`${method}: shifting the values shifts the limits`, () => {
    const values = sample(11, 4).map((value) => Math.round(value * 64));
    const { low, high } = bootstrapMean(values, options(7));
    const shifted = bootstrapMean(
      values.map((value) => value + 1024),
      options(7),
    );
    assert.ok(Math.abs(shifted.low - low - 1024) < 1e-9 && Math.abs(shifted.high - high - 1024) < 1e-9);
  });

  test(`${method}: of 30 values it holds the mean about as often as promised`, () => {
    const random = seededRandom(8);
    let held = 0;
    for (let round = 0; round < 600; round++) {
      const values = Float64Array.from({ length: 30 }, () => random() + random() - 1);
      const { low, high } = bootstrapMean(values, { level, method, resamples: 399, random });
      if (low <= 0 && high >= 0) held++;
    }
    // About 0.94 of 600; standard deviation 6, five of them.
    assert.ok(held > 534 && held < 594, String(held));
  });
}

const options = (seed: number) => ({ level, resamples: 999, random: seededRandom(seed) });
const widthOf = ({ low, high }: { low: number; high: number }) => high - low;

test('a run counts once, however long it is', () => {
  const long = new Float64Array(500).fill(10);
  const short = Float64Array.of(0);
  const { low, high } = hierarchicalMean([long, short, short, long], options(1));
  assert.deepEqual([low, high], [0, 10]);
});

test('more iterations do not make up for few runs', () => {
  const runs = [1, 5, 2, 8, 4].map((effect, index) => sample(200, index).map((value) => value + effect));
  const between = widthOf(bootstrapMean(Float64Array.from(runs, mean), options(2)));
  const pooled = widthOf(bootstrapMean(Float64Array.from(runs.flatMap((run) => [...run])), options(2)));
  const width = widthOf(hierarchicalMean(runs, options(2)));
  assert.ok(width > between * 0.9, `${width} ${between}`);
  assert.ok(width > pooled * 5, `${width} ${pooled}`);
});

test('drawing both sides of a run together takes out what they share', () => {
  const a = [0, 50, 100, 20, 70].map((shared, index) => sample(30, index).map((value) => value + shared));
  const b = [0, 50, 100, 20, 70].map((shared, index) =>
    sample(40, index + 9).map((value) => value + shared + 1),
  );
  const paired = hierarchicalPairedDifference({ a, b }, options(3));
  const unpaired = hierarchicalDifference({ a, b }, options(3));
  assert.ok(paired.high < -0.3 && paired.low > -1.7, JSON.stringify(paired));
  assert.ok(widthOf(unpaired) > 20 * widthOf(paired));
});

test('equal values in all runs give a point', () => {
  const runs = [3, 5, 2].map((length) => new Float64Array(length).fill(0.1));
  assert.deepEqual(hierarchicalMean(runs, options(4)), { low: 0.1, high: 0.1, level });
  assert.deepEqual(hierarchicalDifference({ a: runs, b: runs.slice(1) }, options(4)), {
    low: 0,
    high: 0,
    level,
  });
  assert.deepEqual(hierarchicalPairedDifference({ a: runs, b: runs }, options(4)), {
    low: 0,
    high: 0,
    level,
  });
});
