import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import type { BisectOutcome } from '../app/bisect-commits.ts';
import { commitLink } from '../core/commit-link.ts';
import { type BisectMetric, metricText, WALL_NAME } from '../core/metric.ts';

/** The answer for programs. */
export function bisectJson(outcome: BisectOutcome, range: CommitRange, id: string) {
  const { pairs, measured, ms } = outcome;
  const commitOf = ({ commit, author, date, subject }: RangeCommit) => {
    const link = commitLink(range.remote, commit);
    return { commit, author, date, subject, ...(link && { link }) };
  };
  const likely = (list: readonly { readonly commit: number; readonly probability: number }[]) =>
    list.map(({ commit, probability }) => {
      return { ...commitOf(range.commits[commit] as RangeCommit), probability }; // answers name commits of the range
    });
  return {
    id,
    state: outcome.state,
    good: range.good.commit,
    bad: range.commits.at(-1)?.commit,
    suspects: range.commits.length,
    metric: metricJson(outcome.metric),
    ...(outcome.state === 'found' && {
      culprits: likely(outcome.culprits),
      certainty: outcome.certainty,
      effect: outcome.effect,
      runnersUp: likely(outcome.runnersUp),
      between: outcome.between.map(({ commit, ratio }) => ({ commit: range.commits[commit]?.commit, ratio })),
    }),
    ...(outcome.state === 'no-difference' && { judgement: outcome.judgement }),
    pairs,
    measured,
    seconds: ms / 1000,
    skipped: outcome.skipped.map(({ commit, reason }) => ({ commit: commit.commit, reason })),
  };
}

function metricJson(metric: BisectMetric) {
  if (metric.type === 'wall') return { name: WALL_NAME, unit: 's', better: 'lower' };
  return { name: metricText(metric), unit: metric.unit, better: metric.better };
}
