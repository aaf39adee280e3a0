import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { judgeSeries } from './judge-series.ts';

const NOISE = [0, 0.1, -0.1, 0.05, -0.05];

/** Twenty values around each level, without a random generator. */
const valuesAt = (...levels: readonly number[]) =>
  Float64Array.from(
    levels.flatMap((level) => Array.from({ length: 20 }, (_, i) => level + (NOISE[i % 5] ?? 0))),
  );

function judged(
  values: Float64Array,
  state: ChangeState | undefined,
  direction: FollowedChange['direction'] = 'worse',
) {
  const { changes } = judgeSeries({ values, better: 'lower' });
  const known = changes.map(({ index, before, after, shift, p }) => {
    const place = {
      id: `c${index}`,
      series: { kind: 'value', experiment: 'e', path: [] },
      unit: '',
    } as const;
    const record = {
      better: 'lower',
      at: index,
      runId: `r${index}`,
      before,
      after,
    } as const;
    const rest = { shift, p, direction, isProvisional: false, detector: 'd', foundAt: 0 } as const;
    return { place: index, change: { ...place, ...record, ...rest, state: state ?? 'new' } };
  });
  return judgeSeries({ values, better: 'lower', known: state === undefined ? [] : known }).newest;
}

test('while a regression is open, values are held against the level before it', () => {
  for (const state of ['new', 'confirmed', 'fixed'] as const) {
    const { verdict, held, reference } = judged(valuesAt(10, 11), state);
    assert.deepEqual([verdict, held, Math.round((reference ?? 0) * 10) / 10], ['slower', 'c20', 10], state);
  }
});

test('an accepted level is the reference', () => {
  const { verdict, held, reference } = judged(valuesAt(10, 11), 'expected');
  assert.notEqual(verdict, 'slower');
  assert.deepEqual([held, Math.round((reference ?? 0) * 10) / 10], [undefined, 11]);
});

test('what is for the better needs no word', () => {
  const { held, reference } = judged(valuesAt(10, 9), 'new', 'better');
  assert.deepEqual([held, Math.round((reference ?? 0) * 10) / 10], [undefined, 9]);
});

test('a false change has one level on both of its sides', () => {
  const { history, held } = judged(valuesAt(10, 11), 'false');
  assert.deepEqual([history, held], [39, undefined]);
});

test('two open regressions leave the level before both', () => {
  const { verdict, reference, held } = judged(valuesAt(10, 11, 12), 'new');
  assert.deepEqual([verdict, Math.round((reference ?? 0) * 10) / 10, held], ['slower', 10, 'c20']);
});

test('no value is no verdict', () => {
  assert.equal(judged(new Float64Array(0), undefined).verdict, 'undecided');
  assert.equal(judged(Float64Array.of(Number.NaN), undefined).verdict, 'undecided');
});
