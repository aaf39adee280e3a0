import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { SeenChange } from './judge-series.ts';
import { reconcile } from './reconcile.ts';

const runIds = Array.from({ length: 100 }, (_, index) => `r${index}`);
const shift = (difference: number) => ({
  difference,
  low: difference - 0.2,
  high: difference + 0.2,
  level: 0.95,
});

const seen = (index: number, difference = 1, isProvisional = false): SeenChange => {
  return { index, before: 10, after: 10 + difference, shift: shift(difference), p: 1e-6, isProvisional };
};
const known = (index: number, more: Partial<FollowedChange> = {}): FollowedChange => ({
  ...{ id: `c${index}`, series: { kind: 'value', experiment: 'e', path: ['x'] }, unit: '', better: 'lower' },
  ...{ at: index, runId: `r${index}`, before: 10, after: 11, shift: shift(1), p: 1e-6, direction: 'worse' },
  ...{ isProvisional: false, detector: 'd', foundAt: 0, state: 'new' },
  ...more,
});
const of = (before: readonly FollowedChange[], now: readonly SeenChange[], isCut = false) => {
  const { added, changed, withdrawn } = reconcile({ known: before, seen: now, runIds, isCut });
  return {
    added: added.map(({ index }) => index),
    changed: changed.map(({ known: { id }, seen: { index }, isBack }) => [id, index, isBack]),
    withdrawn: withdrawn.map(({ id }) => id),
  };
};
const nothing = { added: [], changed: [], withdrawn: [] };

test('the same change is no news', () => {
  assert.deepEqual(of([known(50)], [seen(50)]), nothing);
  assert.deepEqual(of([known(50)], [seen(50, 1.1)]), nothing);
});

test('a change that moved a few points keeps its identity; one farther off is another', () => {
  assert.deepEqual(of([known(50)], [seen(54)]), { ...nothing, changed: [['c50', 54, false]] });
  assert.deepEqual(of([known(50)], [seen(60)]), { ...nothing, added: [60], withdrawn: ['c50'] });
});

test('the other direction is another change', () => {
  assert.deepEqual(of([known(50)], [seen(50, -1)]), { ...nothing, added: [50], withdrawn: ['c50'] });
});

test('of two changes close to each other each finds its own', () => {
  assert.deepEqual(of([known(50), known(53)], [seen(54), seen(51)]).changed, [
    ['c50', 51, false],
    ['c53', 54, false],
  ]);
});

test('a size outside of what was said is reported', () => {
  assert.deepEqual(of([known(50)], [seen(50, 1.5)]).changed, [['c50', 50, false]]);
});

test('what people spoke about is not withdrawn, nor what is out of view', () => {
  assert.deepEqual(of([known(50, { state: 'expected' })], []), nothing);
  assert.deepEqual(of([known(50, { runId: 'older' })], []), nothing);
  assert.deepEqual(of([known(4)], [], true), nothing);
  assert.deepEqual(of([known(4)], []).withdrawn, ['c4']);
});

test('a withdrawn change that is seen again comes back, and is not withdrawn twice', () => {
  const gone = known(50, { withdrawnAt: 7 });
  assert.deepEqual(of([gone], [seen(50)]).changed, [['c50', 50, true]]);
  assert.deepEqual(of([gone], []), nothing);
});

test('a provisional one that became a level is reported', () => {
  assert.deepEqual(of([known(98, { isProvisional: true })], [seen(97)]).changed, [['c98', 97, false]]);
});

test('a change that turns out to return to an earlier level is reported', () => {
  const again = { ...seen(50), returns: { kind: 'again', index: 20 } } as const;
  assert.deepEqual(of([known(50)], [again]), { ...nothing, changed: [['c50', 50, false]] });
  assert.deepEqual(of([known(50, { returns: { kind: 'again', runId: 'r20' } })], [again]), nothing);
});
