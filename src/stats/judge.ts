import { NightmarkError } from '../platform/core/errors.ts';
import { type Centre, centreOf } from './centre.ts';
import { judgementNotes } from './judgement-notes.ts';
import { requireFinite } from './requirements.ts';
import type { Judgement, RatioEffect, Verdict } from './verdict.ts';

export interface JudgeOptions {
  /** 0.95: one false alarm in twenty comparisons of a thing with itself. */
  readonly level: number;
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
}

/** Judges the natural logarithms of B / A, one of each independent run, in the order of the runs. */
export function judgeLogRatios(logRatios: Float64Array, options: JudgeOptions): Judgement {
  requireOptions(options);
  const { level, minEffect } = options;
  const runs = logRatios.length;
  if (runs > 0) requireFinite(logRatios);
  if (runs < 2) {
    const notes = [`${runs === 1 ? 'One run has' : 'No runs have'} no spread: at least two are needed.`];
    return { verdict: 'undecided', minEffect, runs, notes };
  }
  const alpha = 1 - level;
  const found = centreOf(logRatios, alpha);
  const effect = ratioEffect(found, alpha);
  const verdict = verdictOf(found, alpha, minEffect);
  const notes = judgementNotes(logRatios, { found, alpha, verdict });
  return { verdict, effect, p: found.p, minEffect, runs, notes };
}

/** Wholly within the smallest effect of interest: same. Otherwise the side of 1 on which the interval lies. */
export function decide(effect: RatioEffect, minEffect: number): Verdict {
  if (isWithin(effect, minEffect)) return 'same';
  if (effect.low > 1) return 'slower';
  return effect.high < 1 ? 'faster' : 'undecided';
}

function verdictOf(found: Centre, alpha: number, minEffect: number): Verdict {
  if (!found.canDecide) return 'undecided';
  // Equivalence: both one-sided tests at alpha, which is the interval with alpha on either side (Schuirmann 1987).
  if (isWithin(ratioEffect(found, 2 * alpha), minEffect)) return 'same';
  return decide(ratioEffect(found, alpha), minEffect);
}

function isWithin({ low, high }: RatioEffect, minEffect: number): boolean {
  return low > 1 / (1 + minEffect) && high < 1 + minEffect;
}

function ratioEffect(found: Centre, alpha: number): RatioEffect {
  const { low, high } = found.limits(alpha);
  return { ratio: Math.exp(found.centre), low: Math.exp(low), high: Math.exp(high), level: 1 - alpha };
}

function requireOptions({ level, minEffect }: JudgeOptions): void {
  if (!(level > 0.5 && level < 1)) {
    throw new NightmarkError('STATS_LEVEL', `There is no verdict at level ${level}.`, {
      hint: 'Give a level between 0.5 and 1, such as 0.95.',
    });
  }
  if (!(minEffect >= 0 && Number.isFinite(minEffect))) {
    throw new NightmarkError('STATS_MIN_EFFECT', `The smallest effect of interest cannot be ${minEffect}.`, {
      hint: 'Give a fraction from 0 on, such as 0.01 for 1 %.',
    });
  }
}
