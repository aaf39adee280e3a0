import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { findYoungStep } from './young-step.ts';

/** Equal values of a level, then the given ones. */
const after = (count: number, ...newest: readonly number[]) =>
  Float64Array.of(...new Array<number>(count).fill(100), ...newest);

function noisy(count: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => 100 + normalQuantile(random() * 0.9999 + 0.00005));
}

describe('findYoungStep', () => {
  test('dates a step back to the first value that left the level', () => {
    for (const age of [0, 1, 2, 3, 5]) {
      const values = after(20, ...new Array<number>(age + 1).fill(120));
      assert.deepEqual(findYoungStep(values), { index: 20, visits: [] }, `${age} nights old`);
    }
  });

  test('finds nothing where the newest value lies at the level, whatever came before it', () => {
    assert.equal(findYoungStep(after(20)), undefined);
    assert.equal(findYoungStep(after(20, 120, 120, 100)), undefined);
    assert.equal(findYoungStep(noisy(30, 3).with(29, 100.4)), undefined);
  });

  test('finds nothing with fewer than four values', () => {
    assert.equal(findYoungStep(Float64Array.of()), undefined);
    assert.equal(findYoungStep(Float64Array.of(100, 100, 120)), undefined);
    assert.deepEqual(findYoungStep(Float64Array.of(100, 100, 100, 120)), { index: 3, visits: [] });
  });

  test('slow, fixed, slow again begins where it is slow again, or at first if the fix is an outlier', () => {
    assert.deepEqual(findYoungStep(after(20, 120, 100, 120)), {
      index: 22,
      range: { first: 20, last: 22 },
      visits: [20],
    });
    assert.deepEqual(findYoungStep(after(20, 120, 100, 100, 120)), { index: 23, visits: [20] });
    const { index, visits } = findYoungStep(after(20, 120, 120, 100, 120, 120)) ?? {};
    assert.deepEqual([index, visits], [23, [20, 21]]);
  });

  test('an outlier among the newest values, or before them, moves nothing', () => {
    assert.equal(findYoungStep(after(20, 120, 170, 120))?.index, 20);
    assert.equal(findYoungStep(after(20, 120, 40, 120, 120))?.index, 20);
    assert.equal(findYoungStep(after(20, 170, 100, 100, 120, 120))?.index, 23);
  });

  test('says between which values it lies where they do not decide', () => {
    const values = noisy(30, 5).map((value, i) => value + (i === 28 ? 3 : i === 29 ? 8 : 0));
    assert.deepEqual(findYoungStep(values)?.range, { first: 28, last: 29 });
  });

  test('gaps keep their index', () => {
    const values = after(20, Number.NaN, 120, Number.NaN, 120);
    values[7] = Number.NaN;
    assert.deepEqual(findYoungStep(values), { index: 21, visits: [] });
  });

  test('of 400 steps of six deviations at least 19 in 20 are dated exactly', () => {
    for (const age of [0, 1, 2]) {
      let exact = 0;
      for (let seed = 1; seed <= 400; seed++) {
        const values = noisy(31 + age, seed).map((value, i) => value + (i >= 30 ? 6 : 0));
        if (findYoungStep(values)?.index === 30) exact++;
      }
      assert.ok(exact >= 380, `${exact} of 400, ${age} nights old`);
    }
  });
});
