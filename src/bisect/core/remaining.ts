import type { Posterior } from './posterior.ts';

/** What is probably still to be done. */
export interface Remaining {
  /** Commits to be built and measured. */
  readonly commits: number;
  readonly pairs: number;
}

/**
 * From what is still unknown, in nats, over what a pair tells. With a distance d between the two hypotheses in units of
 * the noise a pair at even odds tells about d^2 / 8, and no more than one bit; near the end it shifts the odds by d^2 / 2.
 */
export function estimateRemaining(
  { probabilities, shift, noise }: Posterior,
  { certainty }: { readonly certainty: number },
): Remaining {
  let unknown = 0;
  for (const p of probabilities) if (p > 0) unknown -= p * Math.log(p);
  const square = (shift / noise) ** 2;
  const commits = Math.max(1, Math.ceil(unknown / Math.LN2 - ROUNDING));
  const halving = unknown / Math.min(Math.LN2 / 2, square / 8);
  const ending = Math.log(certainty / (1 - certainty)) / (square / 2);
  return { commits, pairs: Math.max(2 * commits, Math.ceil(halving + ending - ROUNDING)) };
}

/** Six halvings shall not become seven by the last digit. */
const ROUNDING = 1e-6;

/** The same before anything is known of the noise: for a plan. */
export function estimateHalvings(suspects: number): number {
  return Math.max(1, Math.ceil(Math.log2(suspects)));
}
