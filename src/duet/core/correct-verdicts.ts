import { adjustedPValues } from '../../stats/false-discovery.ts';
import type { DuetRunType } from './duet.ts';
import type { GroupAnalysis } from './duet-analysis.ts';

const TYPES: readonly DuetRunType[] = ['duet', 'syncduet', 'seqn'];

/**
 * Controls the share of false ones among all that are called faster or slower (Benjamini and Hochberg), over all groups
 * that were run in the same way: whoever compares hundred benchmarks at 5 % finds five differences where there is none.
 */
export function correctVerdicts(groups: readonly GroupAnalysis[], fdr: number): readonly GroupAnalysis[] {
  const adjusted = new Map<GroupAnalysis, number>();
  for (const type of TYPES) {
    const family = groups.filter((group) => group.type === type);
    for (const [i, p] of adjustedPValues(family.map(({ judgement }) => judgement.p)).entries()) {
      const group = family[i];
      if (group && p !== undefined) adjusted.set(group, p);
    }
  }
  return groups.map((group) => withAdjusted(group, adjusted.get(group), fdr));
}

function withAdjusted(group: GroupAnalysis, adjustedP: number | undefined, fdr: number): GroupAnalysis {
  if (adjustedP === undefined) return group;
  const { judgement } = group;
  const isDifferent = judgement.verdict === 'faster' || judgement.verdict === 'slower';
  if (!isDifferent || adjustedP <= fdr) return { ...group, adjustedP };
  const note = `Alone it would be called ${judgement.verdict}; among so many comparisons that is not certain enough.`;
  return {
    ...group,
    adjustedP,
    judgement: { ...judgement, verdict: 'undecided', notes: [...judgement.notes, note] },
  };
}
