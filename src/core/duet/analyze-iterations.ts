import type { AnalysisOptions, DuetAnalysis, GroupAnalysis } from '../model/duet-analysis.ts';
import type { DuetIterations } from '../model/iterations.ts';
import type { Verdict } from '../model/verdict.ts';
import { counted } from '../text/numbers.ts';
import { analyzeGroup, type Thoroughness } from './analyze-group.ts';
import { correctVerdicts } from './correct-verdicts.ts';
import { environmentLabel } from './environment-label.ts';
import { groupKey, groupRuns } from './group-runs.ts';
import { dropUnmeasured } from './measure-run.ts';
import { withSpeedups } from './run-cost.ts';

/** Judges A against B, benchmark by benchmark. Every run is in a group, and every group in the result. */
export function analyzeIterations(
  runs: readonly DuetIterations[],
  options: AnalysisOptions,
  thoroughness: Thoroughness = { withOthers: true },
): DuetAnalysis {
  let dropped = 0;
  const usable = runs.map((run) => {
    const kept = dropUnmeasured(run);
    dropped += kept.dropped;
    return options.compat ? { ...kept.run, environment: environmentLabel(run.environment) } : kept.run;
  });
  const groups = groupRuns(usable).map((group) => analyzeGroup(group, options, thoroughness));
  const judged = correctVerdicts(withSpeedups(groups), options.fdr);
  return {
    options,
    groups: [...judged].sort(byInterest),
    notes: dropped === 0 ? [] : [`${counted(dropped, 'iteration')} without a time above 0 left out.`],
  };
}

const INTEREST: readonly Verdict[] = ['slower', 'faster', 'undecided', 'same'];

/** What got slower first, then what got faster, each from the largest effect on; what is the same comes last. */
function byInterest(one: GroupAnalysis, other: GroupAnalysis): number {
  const rank = ({ judgement }: GroupAnalysis) => INTEREST.indexOf(judgement.verdict);
  const size = ({ judgement }: GroupAnalysis) => Math.abs(Math.log(judgement.effect?.ratio ?? 1));
  const names = [one, other].map(groupKey) as [string, string];
  return rank(one) - rank(other) || size(other) - size(one) || (names[0] < names[1] ? -1 : 1);
}
