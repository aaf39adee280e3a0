import type { CommandSide } from '../../duet/app/compare-request.ts';
import type { Series, SeriesValue } from '../../formats/core/sample.ts';
import { type FollowedChange, isOpen } from '../../home/core/changes/change-ledger.ts';
import type { Store } from '../../home/core/store.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import {
  type BisectMetric,
  isMetricNamed,
  type MetricRequest,
  metricText,
  WALL_NAME,
} from '../core/bisect-metric.ts';

/** The metric, with a note where the time is compared instead of a value. */
export interface ResolvedMetric {
  readonly metric: BisectMetric;
  readonly note?: string;
}

/** Resolves the request with the values that the run of the good commit reports. */
export async function resolveMetric(
  request: MetricRequest,
  results: RunResults | undefined,
): Promise<ResolvedMetric> {
  if (request.type === 'wall' || results === undefined) return { metric: { type: 'wall' } };
  if (request.type !== 'only') return { metric: findRequested(request, await results.read()) };
  let values: readonly SeriesValue[];
  try {
    values = await results.read();
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const note = `The run reports no value that can be read (${messageOf(error)}): its time is compared.`;
    return { metric: { type: 'wall' }, note };
  }
  const [first, ...others] = values;
  if (first === undefined)
    return { metric: { type: 'wall' }, note: 'The run reports no value: its time is compared.' };
  if (others.length > 0) throw whichMetric(first.experiment, values);
  return { metric: toMetric(first) };
}

/** The value of a metric among those of a run. */
export function metricValue(
  metric: Extract<BisectMetric, { type: 'value' }>,
  values: readonly SeriesValue[],
) {
  const found = values.find((one) => isSame(one, metric));
  if (!found)
    throw new NightmarkError(
      'BISECT_NO_VALUE',
      `its run reports no ${metricText(metric)}${values.length > 0 ? `, but ${listed(values)}` : ''}`,
    );
  if (found.value > 0 && Number.isFinite(found.value)) return found.value;
  throw new NightmarkError(
    'BISECT_NO_VALUE',
    `its ${metricText(metric)} is ${found.value}, and only values above 0 have a ratio`,
  );
}

/** The error for an ambiguous request. */
function whichMetric(experiment: string, metrics: readonly Pick<SeriesValue, 'path'>[]): NightmarkError {
  return new NightmarkError(
    'BISECT_WHICH_METRIC',
    `The experiment ${experiment} has several metrics: ${listed(metrics)}.`,
    { hint: 'Choose one with --metric; --metric wall compares the time of the command.' },
  );
}

/** The error for an unknown name; lists the metrics, the nearest first. */
function noMetric(name: string, metrics: readonly Pick<SeriesValue, 'path'>[]): NightmarkError {
  const names = nearestFirst(
    name,
    metrics.map(({ path }) => path.join('/')),
  );
  const there = names.length === 0 ? 'There is none.' : `There are: ${shortened(names)}.`;
  return new NightmarkError('BISECT_NO_METRIC', `There is no metric ${JSON.stringify(name)}.`, {
    hint: `${there} --metric wall compares the time of the command.`,
  });
}

const MAX_NAMED = 8;

function findRequested(
  request: Exclude<MetricRequest, { type: 'wall' | 'only' }>,
  values: readonly SeriesValue[],
): BisectMetric {
  const found = values.find((one) =>
    request.type === 'named' ? isMetricNamed(one, request.name) : isSame(one, request),
  );
  if (!found) throw noMetric(request.type === 'named' ? request.name : metricText(request), values);
  const metric = toMetric(found);
  if (request.type === 'named') return metric;
  // Values of an analysis know neither unit nor direction, but their series may.
  return { ...metric, unit: metric.unit || request.unit, better: known(metric.better) ?? request.better };
}

function toMetric({ path, unit = '', better = 'unknown' }: SeriesValue) {
  return { type: 'value', path, unit, better } as const;
}

function known<T>(better: T | 'unknown'): T | undefined {
  return better === 'unknown' ? undefined : (better as T);
}

function isSame(one: Pick<SeriesValue, 'path'>, other: Pick<SeriesValue, 'path'>): boolean {
  return one.path.join('\0') === other.path.join('\0');
}

function listed(metrics: readonly Pick<SeriesValue, 'path'>[]): string {
  return shortened(metrics.map(({ path }) => path.join('/')));
}

function shortened(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export interface MetricOption {
  readonly experiment: string;
  /** As it was typed. */
  readonly name?: string;
}

/** Facts of an experiment from its nights. */
export interface RecordedMetrics {
  readonly series: readonly Series[];
  readonly changes: Iterable<FollowedChange>;
}

const MAX_SERIES = 10_000;

/** The series of an experiment that are values proper. */
export async function knownSeries(experiment: string, store: Store): Promise<readonly Series[]> {
  return (await store.series({ experiment, limit: MAX_SERIES })).filter((one) => !isDetail(one));
}

/**
 * Which metric is meant, before anything is built: the one that was named, the one in which there is an open change, or
 * the only one. Where no night has reported anything, the results of the good commit decide.
 */
export function chooseMetric(
  { experiment, name }: MetricOption,
  { series, changes }: RecordedMetrics,
): MetricRequest {
  if (name === WALL_NAME) return { type: 'wall' };
  if (series.length === 0) return name === undefined ? { type: 'only' } : { type: 'named', name };
  if (name !== undefined) {
    const found = series.find((one) => isMetricNamed(one, name));
    if (!found) throw noMetric(name, series);
    return toRequest(found);
  }
  const changed = new Set([...changes].filter(isOpen).flatMap((it) => pathIn(experiment, it)));
  const open = series.filter(({ path }) => changed.has(path.join('\0')));
  const [first, ...others] = open.length > 0 ? open : series;
  if (first === undefined || others.length > 0)
    throw whichMetric(experiment, open.length > 0 ? open : series);
  return toRequest(first);
}

function toRequest({ path, unit, better }: Series): MetricRequest {
  return { type: 'value', path, unit, better };
}

function pathIn(experiment: string, { series }: FollowedChange): readonly string[] {
  return series.kind === 'value' && series.experiment === experiment ? [series.path.join('\0')] : [];
}

/** A commit made ready, and what its runs report. */
export interface MeasuredSide extends CommandSide {
  /** Absent: there is nothing but the time of the command. */
  readonly results?: RunResults;
}

/** The results of the newest run of one commit. */
export interface RunResults {
  /** Called before each run, to remove results of earlier runs. */
  clear(): Promise<void>;
  /** All values, as a night would store them. Throws a NightmarkError where there is none that can be read. */
  read(): Promise<readonly SeriesValue[]>;
}
