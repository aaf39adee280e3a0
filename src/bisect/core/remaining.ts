import type { Posterior } from './posterior.ts';

/** What is probably still to be done. */
export interface Remaining {
  /** Commits to be built and measured. */
  readonly commits: number;
  readonly pairs: number;
}

/** From what is still unknown, in bits, and from how many pairs show on which side of the change a commit is. */
export function estimateRemaining({ one, shift, noise }: Posterior): Remaining {
  let unknown = 0;
  for (const p of one) if (p > 0) unknown -= p * Math.log2(p);
  const commits = Math.max(1, Math.ceil(unknown - ROUNDING));
  const ratio = (noise / shift.mean) ** 2;
  const pairs = commits * Math.max(4, EACH * ratio) + Math.max(8, LAST * ratio);
  return { commits, pairs: Math.ceil(pairs) };
}

/** Measured in simulated searches, in squares of the noise over the difference: a commit, and the checks at the end. */
const EACH = 30;
const LAST = 60;
/** Six halvings shall not become seven by the last digit. */
const ROUNDING = 1e-6;

/** The same while the noise is unknown: for a plan. */
export function estimateHalvings(suspects: number): number {
  return Math.max(1, Math.ceil(Math.log2(suspects)));
}

/** Builds that are allowed where nobody says how many: each halving twice, and what builds of their own need. */
export function usualBuilds(suspects: number): number {
  return 2 * estimateHalvings(suspects) + 14;
}
