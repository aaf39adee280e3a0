import type { Verdict } from '../../../stats/verdict.ts';
import type { GroupAnalysis } from '../duet-analysis.ts';

const RANK: Readonly<Record<Verdict, number>> = { slower: 0, faster: 1, undecided: 2, same: 3 };

/** What needs eyes first: slower, faster, undecided, same; the largest effects first, the surest of equals first. */
export function orderGroups(groups: readonly GroupAnalysis[]): readonly GroupAnalysis[] {
  return [...groups].sort(
    (a, b) =>
      RANK[a.judgement.verdict] - RANK[b.judgement.verdict] ||
      size(b) - size(a) ||
      width(a) - width(b) ||
      compare(groupName(a), groupName(b)),
  );
}

/** Breaks the last ties, so that the order is always the same. */
function groupName({ environment, suite, benchmark, type }: GroupAnalysis): string {
  return `${suite} ${benchmark} ${type} ${environment}`;
}

function size({ judgement: { effect } }: GroupAnalysis): number {
  return effect && effect.ratio > 0 ? Math.abs(Math.log(effect.ratio)) : -1;
}

function width({ judgement: { effect } }: GroupAnalysis): number {
  return effect ? effect.high - effect.low : Number.MAX_VALUE;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
