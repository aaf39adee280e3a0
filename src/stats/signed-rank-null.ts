import { normalCdf } from './distributions.ts';
import { signedRankCounts } from './rank-counts.ts';

/**
 * What the signed-rank sum of n values does when their signs are tosses of a coin (Wilcoxon 1945): the number of Walsh
 * averages at or below the centre of symmetry has this distribution, whatever the values are.
 */
export interface SignedRankNull {
  /** Probability of at most `sum`. */
  atMost(sum: number): number;
  /** The largest sum whose probability of at most it is no more than `p`; -1 when there is none. */
  largestWithin(p: number): number;
}

/** Exact up to here: 5,050 sums, a millisecond; beyond it the normal form is right to four digits of the probability. */
const EXACT_UP_TO = 100;

const known = new Map<number, SignedRankNull>();

/** The distribution for `n` values; computed once for each n. */
export function signedRankNull(n: number): SignedRankNull {
  const before = known.get(n);
  if (before !== undefined) return before;
  const made = n <= EXACT_UP_TO ? exact(n) : normal(n);
  known.set(n, made);
  return made;
}

function exact(n: number): SignedRankNull {
  const cumulative = signedRankCounts(n, (n * (n + 1)) / 2);
  let total = 0;
  for (const [sum, count] of cumulative.entries()) {
    total += count;
    cumulative[sum] = total / 2 ** n;
  }
  return {
    atMost: (sum) => (sum < 0 ? 0 : (cumulative[Math.min(Math.floor(sum), cumulative.length - 1)] ?? 1)),
    largestWithin: (p) => firstAbove(p, (sum) => cumulative[sum] ?? 1) - 1,
  };
}

function normal(n: number): SignedRankNull {
  const mean = (n * (n + 1)) / 4;
  const deviation = Math.sqrt((mean * (2 * n + 1)) / 6);
  const atMost = (sum: number) => normalCdf((Math.floor(sum) + 0.5 - mean) / deviation);
  return { atMost, largestWithin: (p) => firstAbove(p, atMost, 2 * mean) - 1 };
}

/** The smallest sum whose probability is above `p`, by halving: probabilities only grow. */
function firstAbove(p: number, atMost: (sum: number) => number, top = 2 ** 30): number {
  // Levels come from these very probabilities through 1 - p and back: a last digit must not cost a step.
  const limit = p * (1 + 1e-9);
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (atMost(middle) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
