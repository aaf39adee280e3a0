import { attainableAlpha, ranksFit } from '../../../stats/centre.ts';
import { studentQuantile } from '../../../stats/distributions.ts';
import { type Search, twoSided } from './welch-power.ts';

/** Ranks use normal values as well as Student's test does with 3 / pi as many of them (Hodges and Lehmann 1956). */
const EFFICIENCY = 3 / Math.PI;

/**
 * How often the verdict on `runs` normal log ratios says that they differ from 0: by the rule of `centreOf`, Student's
 * test where values are few and ranks from then on. The latter is Student's with the efficiency of ranks, at the level
 * that their steps leave: from 10 values on within about one point of simulations (bench/accuracy-power.ts).
 */
export function pairsPower(runs: number, { effect, deviation, alpha }: Search): number {
  if (!(deviation > 0)) return 1;
  const useful = ranksFit(runs, alpha) ? runs * EFFICIENCY : runs;
  const limit = studentQuantile(1 - attainableAlpha(runs, alpha) / 2, runs - 1);
  return twoSided(limit, runs - 1, (Math.abs(effect) / deviation) * Math.sqrt(useful));
}
