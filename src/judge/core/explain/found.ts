import type { Cause, Fit } from './explanation.ts';

/** What a look at one fact gave. Causes of one signature cannot be told apart. */
export type Found = 'unchanged' | 'unknown' | { readonly cause: Cause; readonly signature?: string };

/** Words for scores; one other change without effect halves a score. */
export function fitOf(score: number): Fit {
  return score >= 0.6 ? 'good' : score >= 0.25 ? 'partly' : 'poor';
}
