import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { analyzeGroup, type Thoroughness } from './analyze-group.ts';
import { correctVerdicts } from './correct-verdicts.ts';
import type { AnalysisOptions, DuetAnalysis } from './duet-analysis.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { groupRuns } from './group-runs.ts';
import { dropUnmeasured } from './measure-run.ts';
import { orderGroups } from './report/order-groups.ts';
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
