import type { Judgement, RatioEffect, Verdict } from '../model/verdict.ts';
import { mean } from './summary.ts';

export interface JudgeOptions {
  /** 0.95: one false alarm in twenty comparisons of a thing with itself. */
  readonly level: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
}

/** Judges the natural logarithms of B / A, one of each independent run. */
export function judgeLogRatios(logRatios: Float64Array, { level, minEffect }: JudgeOptions): Judgement {
  const runs = logRatios.length;
  if (runs < 2) {
    return {
      verdict: 'undecided',
      minEffect,
      runs,
      notes: ['One run has no spread: at least two are needed.'],
    };
  }
  const center = mean([...logRatios]);
  let squares = 0;
  for (const value of logRatios) squares += (value - center) ** 2;
  const half = 1.96 * Math.sqrt(squares / (runs - 1) / runs);
  const effect = {
    ratio: Math.exp(center),
    low: Math.exp(center - half),
    high: Math.exp(center + half),
    level,
  };
  return { verdict: decide(effect, minEffect), effect, minEffect, runs, notes: [] };
}

/** Wholly within the smallest effect of interest: same. Otherwise the side of 1 on which the interval lies. */
export function decide({ low, high }: RatioEffect, minEffect: number): Verdict {
  if (low > 1 / (1 + minEffect) && high < 1 + minEffect) return 'same';
  if (low > 1) return 'slower';
  return high < 1 ? 'faster' : 'undecided';
}
