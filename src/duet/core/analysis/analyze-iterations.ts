import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { correctJudgements, type Verdict } from '../../../stats/verdict.ts';
import type { DuetRunType } from '../duet.ts';
import { type DuetIterations, groupRuns } from '../duet-iterations.ts';
import { type AnalysisDepth, analyzeGroup } from './analyze-group.ts';
import type { AnalysisOptions, DuetAnalysis, GroupAnalysis } from './duet-analysis.ts';
import { dropUnmeasured } from './measure-run.ts';
import { withSpeedups } from './run-extent.ts';

/** Judges A against B, benchmark by benchmark. Every run is in a group, and every group in the result. */
export function analyzeIterations(
  runs: readonly DuetIterations[],
  options: AnalysisOptions,
  thoroughness: AnalysisDepth = { withOthers: true },
): DuetAnalysis {
  let dropped = 0;
  const usable = runs.map((run) => {
    const kept = dropUnmeasured(run);
    dropped += kept.dropped;
    return kept.run;
  });
  const groups = groupRuns(usable).map((group) => analyzeGroup(group, options, thoroughness));
  const judged = correctVerdicts(withSpeedups(groups), options.fdr);
  return {
    options,
    groups: orderGroups(judged),
    notes:
      dropped === 0 ? [] : [`${plainly(counted(dropped, 'iteration'))} without a time above 0 left out.`],
  };
}

const TYPES: readonly DuetRunType[] = ['duet', 'syncduet', 'seqn'];

/**
 * Controls the share of false ones among all that are called faster or slower (Benjamini and Hochberg), over all groups
 * that were run in the same way: a hundred comparisons at 5 % find five differences where there are none.
 */
function correctVerdicts(groups: readonly GroupAnalysis[], fdr: number): readonly GroupAnalysis[] {
  const corrected = new Map<GroupAnalysis, GroupAnalysis>();
  for (const type of TYPES) {
    const family = groups.filter((group) => group.type === type);
    const judged = correctJudgements(
      family.map(({ judgement }) => judgement),
      fdr,
    );
    for (const [index, { judgement, adjustedP, heldBack }] of judged.entries()) {
      const group = family[index] as GroupAnalysis; // as many as were given
      const notes = heldBack === undefined ? judgement.notes : [...judgement.notes, heldBack];
      corrected.set(group, {
        ...group,
        ...(adjustedP !== undefined && { adjustedP }),
        judgement: { ...judgement, notes },
      });
    }
  }
  return groups.map((group) => corrected.get(group) ?? group);
}

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
