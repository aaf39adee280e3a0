import type { Comparison } from './comparison.ts';

/** B is slower than it may be. `allow` is a fraction: 0.02 lets 2 % pass. */
export function isRegression({ judgement: { verdict, effect } }: Comparison, allow: number): boolean {
  return verdict === 'slower' && effect !== undefined && effect.ratio > 1 + allow;
}
