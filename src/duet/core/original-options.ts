import type { AnalysisOptions } from './duet-analysis.ts';

/** How the original analyses: overlaps of more than 0.4 of both, found by its sweep, after the first half of a run. */
export const ORIGINAL = {
  minOverlap: 0.4,
  warmup: 'half',
  pairing: 'sweep',
  compat: true,
} as const satisfies Partial<AnalysisOptions>;
