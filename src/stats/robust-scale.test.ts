import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile } from './distributions.ts';
import { medianAbsoluteDeviation, qnScale } from './robust-scale.ts';
import { trimmedMean, winsorizedMean } from './trimmed-mean.ts';

const scales = { medianAbsoluteDeviation, qnScale };

for (const [name, scale] of Object.entries(scales)) {
  test(`${name} of normal values is their deviation`, () => {
    const count = 4001;
    const normal = Float64Array.from(
      { length: count },
      (_, index) => 3 * normalQuantile((index + 0.5) / count),
    );
    assert.ok(Math.abs(scale(normal) - 3) < 0.01, String(scale(normal)));
  });

  test(`${name} does not change with a shift or a sign, and grows with the unit`, () => {
    const numbers = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: -100, max: 100 }), (values, shift) => {
        const before = scale(values);
        assert.equal(scale(values.map((value) => shift - value)), before);
        assert.equal(scale(values.map((value) => value * 4)), before * 4);
      }),
    );
  });

  test(`${name} bears four wild values of ten`, () => {
    assert.ok(scale([1, 2, 3, 4, 5, 6, 1e9, -1e9, 2e9, 3e9]) < 20);
    assert.equal(scale([7, 7, 7]), 0);
  });
}

test('Qn is the third of the six distances of four values', () => {
  // Distances of 0, 1, 3, 7: 1 2 3 4 6 7; half = 3, rank = 3.
  assert.ok(Math.abs(qnScale([3, 0, 7, 1]) / 2.219144465985076 - 3) < 1e-12);
});

test('trimming leaves wild values out, winsorizing draws them in', () => {
  const values = [100, 1, 2, 3, 4, 5, 6, 7, 8, -50];
  assert.equal(trimmedMean(values, 0.1), 4.5);
  assert.equal(winsorizedMean(values, 0.1), 4.5);
  assert.equal(trimmedMean([1, 2, 3, 10], 0.25), 2.5);
  assert.equal(winsorizedMean([0, 2, 3, 10, 20], 0.2), (2 + 2 + 3 + 10 + 10) / 5);
  assert.equal(trimmedMean([1, 2, 6], 0.3), 3);
  assert.equal(winsorizedMean([1, 2, 6], 0), 3);
  assert.equal(values[0], 100);
});
