import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import type { BisectOutcome } from '../app/bisect-commits.ts';
import { type BisectMetric, metricText, WALL_NAME } from '../core/bisect-metric.ts';
import type { Likely } from '../core/conclusion.ts';
import { GOOD } from '../core/search.ts';
import { commitLink } from './commit-link.ts';

/** The answer for programs; described in docs/reference/bisect-json.md. */
export function bisectJson(outcome: BisectOutcome, range: CommitRange, id: string) {
  const { state, effect, measure, measures, none, several, levels, between, builds, noise } = outcome;
  const hashOf = (commit: number) => (commit === GOOD ? range.good : range.commits[commit])?.commit;
  const likely = (list: readonly Likely[]) =>
    list.map(({ commit, probability }) => {
      const { commit: hash, author, date, subject } = range.commits[commit] as RangeCommit; // answers name commits of the range
      const link = commitLink(range.remote, hash);
      return { commit: hash, author, date, subject, ...(link && { link }), probability };
    });
  return {
    ...{ id, state, good: range.good.commit, bad: range.commits.at(-1)?.commit },
    suspects: range.commits.length,
    metric: metricJson(outcome.metric),
    ...('certainty' in outcome && { certainty: outcome.certainty }),
    ...(state === 'found' && {
      culprits: likely(outcome.culprits),
      runnersUp: likely(outcome.runnersUp),
    }),
    ...('likely' in outcome && { likely: likely(outcome.likely) }),
    ...(state === 'undecided' && {
      why: outcome.why,
      ...(outcome.wantedPairs !== undefined && { wantedPairs: outcome.wantedPairs }),
    }),
    effect,
    ...((state === 'no-difference' || state === 'undecided') && { judgement: judgementOf(outcome) }),
    ...{ none, several, measure },
    measures: measures.map(({ likeliest, ...rest }) => {
      return { ...rest, likeliest: { commit: hashOf(likeliest.commit), probability: likeliest.probability } };
    }),
    ...{ builds, noise },
    levels: levels.map(({ commit, ...level }) => ({ commit: hashOf(commit), ...level })),
    between: between.map(({ commit, ratio }) => ({ commit: hashOf(commit), ratio })),
    ...{ pairs: outcome.pairs, measured: outcome.measured, seconds: outcome.ms / 1000 },
    skipped: outcome.skipped.map(({ commit, reason }) => ({ commit: commit.commit, reason })),
  };
}

/** Whether good and bad differ, as other commands print it. */
function judgementOf({ state, effect, minEffect, pairs }: BisectOutcome) {
  const verdict = state === 'no-difference' ? 'same' : 'undecided';
  return { verdict, effect, minEffect, runs: pairs, notes: [] };
}

function metricJson(metric: BisectMetric) {
  if (metric.type === 'wall') return { name: WALL_NAME, unit: 's', better: 'lower' };
  return { name: metricText(metric), unit: metric.unit, better: metric.better };
}
