import { decide, type JudgeOptions } from './judge.ts';
import { welchTest } from './t-tests.ts';
import type { Judgement } from './verdict.ts';

/** Judges B against A from logarithms of times that are no pairs: Welch's interval of the difference of their means. */
export function judgeUnpaired(
  a: Float64Array,
  b: Float64Array,
  { level, minEffect }: JudgeOptions,
): Judgement {
  const runs = Math.min(a.length, b.length);
  if (runs < 2) {
    const notes = ['A side with fewer than two runs has no spread: at least two are needed.'];
    return { verdict: 'undecided', minEffect, runs, notes };
  }
  const { estimate, low, high, p } = welchTest(b, a, { level });
  const effect = { ratio: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high), level };
  // Equivalence is two one-sided tests at 1 - level each: the interval of 2 * level - 1.
  const narrow = welchTest(b, a, { level: 2 * level - 1 });
  const isSame =
    decide({ ...effect, low: Math.exp(narrow.low), high: Math.exp(narrow.high) }, minEffect) === 'same';
  return { verdict: isSame ? 'same' : decide(effect, minEffect), effect, p, minEffect, runs, notes: [] };
}
