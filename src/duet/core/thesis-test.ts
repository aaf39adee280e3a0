import { bootstrapMean } from '../../stats/bootstrap.ts';
import type { ThesisTest } from './duet-analysis.ts';

export interface ThesisOptions {
  /** Mean of all iterations of both sides before pairing, which widths are measured by. */
  readonly grandMean: number;
  readonly random: () => number;
}

/**
 * The original's test: a BCa interval of 95 % for the mean difference A - B over run means. Centre and half width of the
 * interval stand for the estimate and its error, and sides are equal when 0 is inside. Kept for comparison: on few runs
 * it calls too many equal sides different. Undefined with fewer than two runs.
 */
export function thesisTest(
  differences: Float64Array,
  { grandMean, random }: ThesisOptions,
): ThesisTest | undefined {
  if (differences.length < 2) return undefined;
  const { low, high } = bootstrapMean(differences, { level: 0.95, resamples: 9_999, method: 'bca', random });
  const mid = (low + high) / 2;
  const error = (high - low) / 2;
  return { low, high, mid, error, relativeWidth: (high - low) / grandMean, equal: Math.abs(mid) <= error };
}
