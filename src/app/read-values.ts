import type { Series } from '../core/model/sample.ts';
import type { Store } from '../core/ports/store.ts';
import { compareNewest, type NewestChange } from './compare-newest.ts';

/** A series with its recent past. Columns, so that a thousand nights cost no objects. */
export interface SeriesView {
  readonly path: readonly string[];
  readonly unit: string;
  readonly better: Series['better'];
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly runIds: readonly string[];
  readonly change?: NewestChange;
}

/** Values that the newest is seen among: a month, so that an old change does not count for ever. */
const COMPARED = 30;

export async function readSeries(store: Store, series: Series, limit: number): Promise<SeriesView> {
  const { times, values, runIds } = await store.history(series.id, { limit });
  const change = compareNewest(values.slice(-COMPARED));
  return {
    path: series.path,
    unit: series.unit,
    better: series.better,
    times: Array.from(times),
    values: Array.from(values),
    runIds,
    ...(change && { change }),
  };
}

/** Spreads, minima and counts that accompany the values proper; by habit of data files below "detailed". */
export function isDetail({ path }: Pick<Series, 'path'>): boolean {
  return path[0] === 'detailed';
}
