import type { Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { ChangeRecord } from '../../judge/core/changes/change.ts';
import { seriesText } from '../../judge/core/changes/series-key.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Judgement } from '../../stats/verdict.ts';
import { type BisectMetric, type MetricWish, metricText } from '../core/metric.ts';
import type { SearchOptions } from '../core/search.ts';

/** The two commits between which a change appeared. */
export interface Neighbours {
  readonly experiment: string;
  /** The source that changed. */
  readonly source: string;
  readonly before: string;
  readonly after: string;
}

/** What a duet of the two commits measured, and what it says: slower is worse. */
export interface DuetFound {
  readonly metric: BisectMetric;
  readonly judgement: Judgement;
}

/** What a duet of the two commits says of a change. */
export interface Confirmation extends Neighbours, DuetFound {
  /** withdrawn: the two commits are the same; unclear: too much noise, or another direction than the change had. */
  readonly state: 'confirmed' | 'withdrawn' | 'unclear';
  readonly notes: readonly string[];
}

export interface ConfirmEffects {
  readonly store: Pick<Store, 'latestRuns' | 'trialsOf'>;
  /** Runs the experiment on both commits in pairs until it is clear whether they differ in the metric. */
  duet(neighbours: Neighbours, wish: MetricWish, options: SearchOptions): Promise<DuetFound>;
}

/**
 * Measures the two neighbouring commits of a change at the same moment: what is real shows again, chance does not. They
 * are compared in the metric of the change, unless another one is wished.
 */
export async function confirmChange(
  record: ChangeRecord,
  effects: ConfirmEffects,
  wish: MetricWish = metricOf(record),
): Promise<Confirmation> {
  const neighbours = await findNeighbours(record, effects.store);
  const found = await effects.duet(neighbours, wish, OPTIONS);
  const hasDirection = isOfChange(record, found.metric);
  const notes = hasDirection
    ? []
    : [`The duet compared the ${metricText(found.metric)}; the change is in ${seriesText(record.series)}.`];
  return { ...neighbours, ...found, state: stateOf(record, found.judgement, hasDirection), notes };
}

/** The metric in which a change was found; those without values have none. */
function metricOf({ series, unit, better }: ChangeRecord): MetricWish {
  return series.kind === 'value' ? { type: 'value', path: series.path, unit, better } : { type: 'wall' };
}

/** Whether the ratio has to go the way of the change: in its own metric, or where both are times. */
function isOfChange({ series, unit }: ChangeRecord, metric: BisectMetric): boolean {
  if (metric.type === 'wall') return TIMES.has(unit);
  return series.kind === 'value' && series.path.join('\0') === metric.path.join('\0');
}

/** The commits of the run at which the change begins and of the last run before it. */
export async function findNeighbours(
  { series, runId, at, id }: ChangeRecord,
  store: ConfirmEffects['store'],
): Promise<Neighbours> {
  if (series.kind === 'machine')
    throw noSource(id, 'the machine changed, and no commit of a source is to blame');
  if (series.kind !== 'value')
    throw noSource(id, 'it is a change of a KPI, whose tests have no source of their own');
  const [here] = trialsOf(await store.trialsOf([runId]), series.experiment);
  if (!here) throw noSource(id, `the run ${runId} has no successful trial of ${series.experiment}`);
  const runs = await store.latestRuns({ limit: LOOK_BACK, before: at });
  const trials = trialsOf(await store.trialsOf(runs.map((run) => run.id)), series.experiment);
  const last = runs.flatMap((run) => trials.filter((trial) => trial.runId === run.id))[0];
  if (!last) throw noSource(id, `there is no successful trial of ${series.experiment} before it`);
  const changed = Object.keys(here.commits).filter((name) => {
    return last.commits[name] !== undefined && here.commits[name] !== last.commits[name];
  });
  const [source, ...others] = changed;
  if (source === undefined)
    throw noSource(id, 'no source changed between the two runs: look at the machine and the settings');
  if (others.length > 0) throw noSource(id, `several sources changed at once: ${changed.join(', ')}`);
  return {
    ...{ experiment: series.experiment, source },
    before: last.commits[source] ?? '',
    after: here.commits[source] ?? '',
  };
}

/** What is confirmed stays so: a busy machine must not be believed after six pairs. */
const OPTIONS: SearchOptions = { certainty: 0.99, minEffect: 0.01 };
/** Nights that may have failed in between. */
const LOOK_BACK = 31;
const TIMES = new Set(['s', 'ms', 'us', 'µs', 'ns', 'min', 'h']);

function trialsOf(trials: readonly Trial[], experiment: string): readonly Trial[] {
  return trials.filter(
    ({ task, kind, state }) => task === experiment && kind === 'experiment' && state === 'succeeded',
  );
}

function stateOf(
  { before, after }: ChangeRecord,
  { verdict, effect }: Judgement,
  hasDirection: boolean,
): Confirmation['state'] {
  if (verdict === 'same') return 'withdrawn';
  if (verdict === 'undecided' || !effect) return 'unclear';
  return !hasDirection || effect.ratio > 1 === after > before ? 'confirmed' : 'unclear';
}

function noSource(id: string, reason: string): NightmarkError {
  return new NightmarkError(
    'BISECT_NOT_CONFIRMABLE',
    `The change ${id} cannot be confirmed by a duet: ${reason}.`,
    {
      hint: 'More nights will confirm it or not; or compare by hand: nightmark duet "command A" "command B".',
    },
  );
}
