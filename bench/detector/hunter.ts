import { mergeCuts, splitSeries } from '../../src/judge/core/regression/hunter.ts';

/** The algorithm of Hunter and Otava (E-divisive in windows of 50, Student's t) in the same language; no smallest shift. */
export const hunter = (values: Float64Array): readonly number[] =>
  mergeCuts(values, splitSeries(values), { maxP: 0.001, minMagnitude: 0 }).map(({ index }) => index);
