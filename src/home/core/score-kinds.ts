export const SCORE_KINDS = ['count', 'mean', 'geomean', 'median', 'min', 'max', 'sum'] as const;

export type ScoreKind = (typeof SCORE_KINDS)[number];
