import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeUnpaired } from './judge-unpaired.ts';

const logs = (...times: number[]) => Float64Array.from(times, Math.log);
const A = logs(10.1, 10.4, 9.9, 10.2, 10, 10.3);
const B = logs(10.6, 10.9, 10.5, 11, 10.7);
const OPTIONS = { level: 0.95, minEffect: 0.01 };

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? 0) / expected - 1) < 1e-9, `${actual} is not ${expected}`);
}

test('ratio, interval and p are those of a Welch test of the logarithms (SciPy 1.10)', () => {
  const { verdict, effect, p, runs } = judgeUnpaired(A, B, OPTIONS);
  assert.deepEqual([verdict, runs], ['slower', 5]);
  near(effect?.ratio, 1.0581203680772744);
  near(effect?.low, 1.0308209149868446);
  near(effect?.high, 1.0861427984843277);
  near(p, 0.0009625089331692936);
});

test('the other way round is the inverse', () => {
  const { verdict, effect } = judgeUnpaired(B, A, OPTIONS);
  assert.equal(verdict, 'faster');
  near(effect?.high, 1 / 1.0308209149868446);
});

test('within the smallest effect of interest is the same', () => {
  assert.equal(judgeUnpaired(A, A, { level: 0.95, minEffect: 0.05 }).verdict, 'same');
});

test('one run a side decides nothing', () => {
  const { verdict, notes } = judgeUnpaired(logs(1), logs(2), OPTIONS);
  assert.equal(verdict, 'undecided');
  assert.equal(notes.length, 1);
});
