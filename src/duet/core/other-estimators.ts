import { mannWhitney } from '../../stats/rank-tests.ts';
import type { AnalysisOptions, GroupAnalysis } from './duet-analysis.ts';
import { groupRandom } from './group-random.ts';
import { groupKey, type RunGroup } from './group-runs.ts';
import { icpeEstimate, icpeRunMean } from './icpe-estimate.ts';
import { measureRun } from './measure-run.ts';
import { ORIGINAL } from './original-options.ts';
import { joinColumns, present, spreadOf, timesOf } from './pooled-times.ts';
import { thesisTest } from './thesis-test.ts';

/**
 * What others would say of the same runs: cut and paired as the original does it, whatever our own judgement asks for.
 * Each has random numbers of its own, so that none depends on what else is analysed beside it.
 */
export function otherEstimators(group: RunGroup, options: AnalysisOptions): OtherEstimates {
  const original = options.compat ? options : { ...options, ...ORIGINAL };
  const measured = group.map((run) => measureRun(run, original));
  const key = groupKey(group[0]);
  const [a, b] = [timesOf(measured, 'A'), timesOf(measured, 'B')];
  const grandMean = spreadOf([...a, ...b])?.mean ?? Number.NaN;
  const differences = present(measured.map(({ analysis }) => analysis.difference));
  const thesis = thesisTest(differences, { grandMean, random: groupRandom(options.seed, `${key} thesis`) });
  const runMeans = present(group.map((run) => icpeRunMean(run, original)));
  const icpe = icpeEstimate(runMeans, groupRandom(options.seed, `${key} icpe`));
  const ranks = poolRanks(joinColumns(a), joinColumns(b));
  return { ...(thesis && { thesis }), ...(icpe && { icpe }), ...(ranks && { mannWhitney: ranks }) };
}

type OtherEstimates = Pick<GroupAnalysis, 'thesis' | 'icpe' | 'mannWhitney'>;

/** All iterations of A against all of B, as if they were independent: the original's second test. */
function poolRanks(a: Float64Array, b: Float64Array): GroupAnalysis['mannWhitney'] {
  if (a.length === 0 || b.length === 0) return undefined;
  const { p } = mannWhitney(a, b);
  return { p, equal: p > 0.05 };
}
