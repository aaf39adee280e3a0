import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../stats/distributions.ts';
import { seededRandom } from '../../../stats/random.ts';
import { judgeSeries } from './judge-series.ts';

/** Values with 1 % of noise around levels, so many at each. */
function valuesAt(...levels: readonly (readonly [level: number, count: number])[]): Float64Array {
  const random = seededRandom(7);
  return Float64Array.from(
    levels.flatMap(([level, count]) =>
      Array.from({ length: count }, () => level * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())))),
    ),
  );
}

test('a change, its size and the standing of the newest value are one answer', () => {
  const { changes, newest } = judgeSeries({ values: valuesAt([100, 30], [110, 10]), better: 'lower' });
  assert.deepEqual(
    changes.map(({ index, isProvisional }) => [index, isProvisional]),
    [[30, false]],
  );
  assert.equal(newest.verdict, 'slower');
  assert.deepEqual(newest.shift, changes[0]?.shift);
  assert.equal(newest.isProvisional, false);
});

test('with a smallest effect of 20 % a step of 5 % is no change, and the newest value no alarm', () => {
  const rules = { minEffect: 0.2 };
  for (const count of [1, 2, 3, 10]) {
    const { changes, newest } = judgeSeries(
      { values: valuesAt([100, 40], [105, count]), better: 'lower' },
      rules,
    );
    assert.deepEqual(changes, [], `${count}`);
    assert.ok(['same', 'undecided'].includes(newest.verdict), newest.verdict);
    assert.equal(newest.likely, undefined);
  }
});

test('a smallest difference in the unit of the values is honoured alike', () => {
  const values = valuesAt([100, 40], [105, 10]);
  assert.equal(judgeSeries({ values, better: 'lower' }, { minDifference: 20 }).changes.length, 0);
  assert.equal(judgeSeries({ values, better: 'lower' }, { minDifference: 2 }).newest.verdict, 'slower');
});

test('a step that is only probably beyond the smallest effect is likely, and an alarm where that is wanted', () => {
  const values = valuesAt([100, 30], [105, 6]);
  const at = judgeSeries({ values, better: 'lower' }).changes[0]?.shift.relative;
  assert.ok(at);
  const minEffect = (at.low + at.change) / 2;
  const { changes, newest } = judgeSeries({ values, better: 'lower' }, { minEffect });
  assert.deepEqual([changes[0]?.isLikely, newest.verdict, newest.likely], [true, 'undecided', 'slower']);
  const asked = judgeSeries({ values, better: 'lower' }, { minEffect, orLikely: true });
  assert.deepEqual([asked.changes[0]?.isLikely, asked.newest.verdict], [undefined, 'slower']);
});

test('where nobody reviews changes, each new level is accepted', () => {
  const values = valuesAt([100, 30], [110, 10]);
  const { changes, newest } = judgeSeries({ values, better: 'lower', acceptsLevels: true });
  assert.equal(changes.length, 1);
  assert.notEqual(newest.verdict, 'slower');
  const young = judgeSeries({ values: valuesAt([100, 30], [120, 1]), better: 'lower', acceptsLevels: true });
  assert.deepEqual([young.changes[0]?.isProvisional, young.newest.verdict], [true, 'slower']);
});
