import type { Series } from '../../formats/core/sample.ts';
import { type FollowedChange, isOpen } from '../../home/core/changes/change-ledger.ts';
import type { Store } from '../../home/core/store.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';
import { isMetricNamed, type MetricWish, WALL_NAME } from '../core/metric.ts';
import { noMetric, whichMetric } from './settle-metric.ts';

export interface MetricRequest {
  readonly experiment: string;
  /** As it was typed. */
  readonly name?: string;
}

/** What is known of an experiment from its nights. */
export interface KnownOfNights {
  readonly series: readonly Series[];
  readonly changes: Iterable<FollowedChange>;
}

const MANY = 10_000;

/** The series of an experiment that are values proper. */
export async function knownSeries(experiment: string, store: Store): Promise<readonly Series[]> {
  return (await store.series({ experiment, limit: MANY })).filter((one) => !isDetail(one));
}

/**
 * Which metric is meant, before anything is built: the one that was named, the one in which there is an open change, or
 * the only one. Where no night has reported anything, the results of the good commit will tell.
 */
export function chooseMetric(
  { experiment, name }: MetricRequest,
  { series, changes }: KnownOfNights,
): MetricWish {
  if (name === WALL_NAME) return { type: 'wall' };
  if (series.length === 0) return name === undefined ? { type: 'only' } : { type: 'named', name };
  if (name !== undefined) {
    const found = series.find((one) => isMetricNamed(one, name));
    if (!found) throw noMetric(name, series);
    return toWish(found);
  }
  const changed = new Set([...changes].filter(isOpen).flatMap((it) => pathIn(experiment, it)));
  const open = series.filter(({ path }) => changed.has(path.join('\0')));
  const [first, ...others] = open.length > 0 ? open : series;
  if (first === undefined || others.length > 0)
    throw whichMetric(experiment, open.length > 0 ? open : series);
  return toWish(first);
}

function toWish({ path, unit, better }: Series): MetricWish {
  return { type: 'value', path, unit, better };
}

function pathIn(experiment: string, { series }: FollowedChange): readonly string[] {
  return series.kind === 'value' && series.experiment === experiment ? [series.path.join('\0')] : [];
}
