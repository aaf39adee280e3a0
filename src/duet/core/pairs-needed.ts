import type { Judgement } from '../../stats/verdict.ts';

/**
 * About how many pairs would decide, if ratio and spread stay as they are: the interval narrows with the square root of
 * the pairs, until it leaves 1 out or lies within the smallest effect, whichever is nearer. Undefined when nothing is known.
 */
export function pairsNeeded({ effect, minEffect, runs }: Judgement): number | undefined {
  if (!effect || runs < 2) return undefined;
  const half = Math.log(effect.high / effect.low) / 2;
  const center = Math.abs(Math.log(effect.ratio));
  const wanted = Math.max(center, Math.log1p(minEffect) - center);
  if (!(half > 0 && wanted > 0)) return undefined;
  return Math.max(runs + 1, Math.round(runs * (half / wanted) ** 2));
}
