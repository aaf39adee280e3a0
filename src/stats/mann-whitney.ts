import { normalCdf } from './distributions.ts';
import { mergeRanks } from './merged-ranks.ts';
import { rankSumCounts } from './rank-counts.ts';
import { type Numbers, requireFinite } from './requirements.ts';
import { sortedCopy } from './summary.ts';

/** Whether one of two independent samples tends to be larger. */
export interface MannWhitney {
  /** Pairs in which `a` is the larger, ties counting half. */
  readonly u: number;
  /** Two-sided, that both come from one distribution. */
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/**
 * The choices are those of scipy.stats.mannwhitneyu: exact when nothing is tied and one sample has at most 8 values,
 * otherwise normal with corrections for ties and continuity. Sorts, then merges: n log n.
 */
export function mannWhitney(a: Numbers, b: Numbers): MannWhitney {
  requireFinite(a);
  requireFinite(b);
  const { u, tied } = mergeRanks(sortedCopy(a), sortedCopy(b));
  const sizes = { m: Math.min(a.length, b.length), n: Math.max(a.length, b.length) };
  const lower = Math.min(u, a.length * b.length - u);
  return sizes.m <= EXACT_UP_TO && tied === 0
    ? { u, p: exactP(sizes, lower), method: 'exact' }
    : { u, p: normalP(sizes, lower, tied), method: 'normal' };
}

interface Sizes {
  readonly m: number;
  readonly n: number;
}

const EXACT_UP_TO = 8;

function exactP({ m, n }: Sizes, lower: number): number {
  const counts = rankSumCounts(m, n, lower);
  let ways = 1;
  for (let i = 1; i <= m; i++) ways *= (n + i) / i;
  let tail = 0;
  for (const count of counts) tail += count;
  return Math.min(1, (2 * tail) / ways);
}

function normalP({ m, n }: Sizes, lower: number, tied: number): number {
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - tied / (all * (all - 1)));
  // All values equal: nothing speaks for a difference.
  if (!(variance > 0)) return 1;
  const z = (lower + 0.5 - (m * n) / 2) / Math.sqrt(variance);
  return Math.min(1, 2 * normalCdf(z));
}
