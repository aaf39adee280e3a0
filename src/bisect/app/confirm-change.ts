import { type ChangeRecord, seriesText } from '../../home/core/changes/change.ts';
import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import type { Store } from '../../home/core/store.ts';
import { findNeighbours, type Neighbours } from '../../judge/app/changes/find-neighbours.ts';
import type { JudgeEffects } from '../../judge/app/changes/judge-home.ts';
import { recordReviews } from '../../judge/app/changes/record-review.ts';
import type { Judgement } from '../../stats/verdict.ts';
import { type BisectMetric, type MetricRequest, metricText } from '../core/bisect-metric.ts';
import type { DifferenceOptions } from '../core/difference.ts';
import type { EndsFound } from './compare-ends.ts';

/** The result of a duet of the two commits of a change. */
export interface Confirmation extends Neighbours, EndsFound {
  /** withdrawn: the two commits are the same; unclear: too much noise, or another direction than the change had. */
  readonly state: 'confirmed' | 'withdrawn' | 'unclear';
  readonly notes: readonly string[];
}

export interface ConfirmEffects {
  readonly store: Pick<Store, 'latestRuns' | 'trialsOf'>;
  /** Runs the experiment on both commits in pairs until it is clear whether they differ in the metric. */
  duet(neighbours: Neighbours, request: MetricRequest, options: DifferenceOptions): Promise<EndsFound>;
}

/**
 * Measures the two neighbouring commits of a change at the same time: a real change shows again, chance does not. They
 * are compared in the metric of the change, unless another one is requested.
 */
export async function confirmChange(
  record: ChangeRecord,
  effects: ConfirmEffects,
  request: MetricRequest = metricOf(record),
): Promise<Confirmation> {
  const neighbours = await findNeighbours(record, effects.store);
  const found = await effects.duet(neighbours, request, OPTIONS);
  const hasDirection = isOfChange(record, found.metric);
  const notes = hasDirection
    ? []
    : [`The duet compared the ${metricText(found.metric)}; the change is in ${seriesText(record.series)}.`];
  return { ...neighbours, ...found, state: stateOf(record, found.judgement, hasDirection), notes };
}

/** The metric in which a change was found; those without values have none. */
function metricOf({ series, unit, better }: ChangeRecord): MetricRequest {
  return series.kind === 'value' ? { type: 'value', path: series.path, unit, better } : { type: 'wall' };
}

/** Whether the ratio has to go the way of the change: in its own metric, or where both are times. */
function isOfChange({ series, unit }: ChangeRecord, metric: BisectMetric): boolean {
  if (metric.type === 'wall') return TIMES.has(unit);
  return series.kind === 'value' && series.path.join('\0') === metric.path.join('\0');
}

/** What is confirmed stays so: a busy machine must not be believed after six pairs. */
const OPTIONS: DifferenceOptions = { certainty: 0.99, minEffect: 0.01 };
const TIMES = new Set(['s', 'ms', 'us', 'µs', 'ns', 'min', 'h']);

function stateOf(
  { before, after }: ChangeRecord,
  { verdict, effect }: Judgement,
  hasDirection: boolean,
): Confirmation['state'] {
  if (verdict === 'same') return 'withdrawn';
  if (verdict === 'undecided' || !effect) return 'unclear';
  return !hasDirection || effect.ratio > 1 === after > before ? 'confirmed' : 'unclear';
}

/** Records the result of a duet; returns the updated change. */
export async function recordDuet(
  { home, id, found }: { readonly home: string; readonly id: string; readonly found: Confirmation },
  effects: JudgeEffects,
): Promise<FollowedChange | undefined> {
  const { state, source, before, after, judgement, metric } = found;
  const { effect, runs } = judgement;
  const review = {
    ...({ type: 'duet', at: effects.clock.now(), id, state, source, before, after, pairs: runs } as const),
    ...(metric.type === 'value' && { metric: metricText(metric) }),
    ...(effect && { effect: { ratio: effect.ratio, low: effect.low, high: effect.high } }),
  };
  const [change] = await recordReviews(home, [review], effects);
  return change;
}
