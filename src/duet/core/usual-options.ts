import type { AnalysisOptions } from './duet-analysis.ts';

/** How duets are judged unless somebody wishes otherwise; as `nightmark duet analyze` without options. */
export const USUAL_ANALYSIS: AnalysisOptions = {
  level: 0.95,
  minEffect: 0.01,
  minOverlap: 0,
  warmup: 'steady',
  pairing: 'exact',
  fdr: 0.05,
  seed: 1,
  slowdown: 0,
  compat: false,
};
