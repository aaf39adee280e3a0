import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement, Verdict } from '../../../stats/verdict.ts';
import { confirmByDuet, confirmByValues, type Suspicion } from './confirm.ts';
import { judgeNewest } from './judge-newest.ts';

const history = Float64Array.of(100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.9, 99.3, 100.1);
const verdict = judgeNewest({ history, newest: Float64Array.of(112), better: 'lower' });
const suspicion: Suspicion = { history, better: 'lower', verdict };
const after = (...values: readonly number[]) => confirmByValues(suspicion, Float64Array.from(values)).state;
const duet = (said: Verdict): Judgement => ({ verdict: said, minEffect: 0.01, runs: 12, notes: [] });

test('is provisional until values follow, and confirmed when they alone say the same', () => {
  assert.equal(verdict.verdict, 'slower');
  assert.equal(after(), 'provisional');
  assert.equal(after(Number.NaN), 'provisional');
  assert.equal(after(111), 'confirmed');
  assert.equal(after(104, 111, 112), 'confirmed');
});

test('is withdrawn when the values return, and not by one of them', () => {
  assert.equal(after(100.2), 'provisional');
  assert.equal(after(100.2, 99.9), 'withdrawn');
  assert.equal(after(88, 89), 'withdrawn');
});

test('is given up when five values did not make it certain', () => {
  const noisy = Float64Array.of(100, 112, 91, 104, 96, 108, 90);
  const far = judgeNewest({ history: noisy, newest: Float64Array.of(150), better: 'lower' });
  assert.equal(far.verdict, 'slower');
  const state = (...values: readonly number[]) =>
    confirmByValues({ history: noisy, better: 'lower', verdict: far }, Float64Array.from(values)).state;
  assert.equal(state(127, 103), 'withdrawn');
  assert.equal(state(126), 'provisional');
});

test('a duet has the last word, unless it cannot tell', () => {
  assert.equal(confirmByDuet(verdict, duet('slower')).state, 'confirmed');
  assert.equal(confirmByDuet(verdict, duet('same')).state, 'withdrawn');
  assert.equal(confirmByDuet(verdict, duet('faster')).state, 'withdrawn');
  assert.equal(confirmByDuet(verdict, duet('undecided')).state, 'provisional');
  assert.equal(confirmByDuet({ ...verdict, verdict: 'changed' }, duet('faster')).state, 'confirmed');
  assert.equal(confirmByDuet({ ...verdict, verdict: 'same' }, duet('slower')).state, 'withdrawn');
});
