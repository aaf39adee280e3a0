import { adjustedPValues } from '../../stats/false-discovery.ts';
import type { Comparison } from './comparison.ts';

/**
 * Of many comparisons some differ by chance: keeps the expected share of false ones among those called faster or slower
 * at 1 - level (Benjamini and Hochberg). One comparison stays as it is.
 */
export function correctMany(comparisons: readonly Comparison[], level: number): readonly Comparison[] {
  if (comparisons.length < 2) return comparisons;
  const adjusted = adjustedPValues(comparisons.map(({ judgement }) => judgement.p));
  return comparisons.map((comparison, index) => {
    const adjustedP = adjusted[index];
    if (adjustedP === undefined) return comparison;
    const { judgement, notes } = comparison;
    const isDifferent = judgement.verdict === 'faster' || judgement.verdict === 'slower';
    if (!isDifferent || adjustedP <= 1 - level) return { ...comparison, adjustedP };
    return {
      ...comparison,
      adjustedP,
      judgement: { ...judgement, verdict: 'undecided' },
      notes: [
        ...notes,
        `Alone this would be called ${judgement.verdict}; among ${comparisons.length} comparisons it may be chance.`,
      ],
    };
  });
}
