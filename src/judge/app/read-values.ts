import type { Series } from '../../formats/core/sample.ts';
import { seriesKey } from '../../home/core/changes/series-key.ts';
import type { Store } from '../../home/core/store.ts';
import { judgeAgainstReference, type NewestAgainstReference } from '../core/changes/reference-level.ts';
import type { Drift, SeriesLevels } from '../core/levels/levels.ts';
import { JUDGED_VALUES, readLevels } from './stored-levels.ts';

/** A series with its recent past. Columns, so that a thousand nights cost no objects. */
export interface SeriesView {
  readonly path: readonly string[];
  readonly unit: string;
  readonly better: Series['better'];
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly runIds: readonly string[];
  /** The newest value against the level that was accepted; absent without values. */
  readonly newest?: NewestAgainstReference;
  /** Where its present level goes on rising or falling. Places are those of the last values that are judged. */
  readonly drift?: Drift;
}

/** Values that a verdict rests on: more than are shown, so that an open change of last month still counts. */
const JUDGED = JUDGED_VALUES.list;

/** `limit`: how many values are shown. */
export async function readSeries(store: Store, series: Series, limit: number): Promise<SeriesView> {
  const history = await store.history(series.id, { limit: Math.max(limit, JUDGED) });
  const recent = history.values.subarray(-JUDGED);
  const { experiment, path } = series;
  const levels = await readLevels(store, { series: { kind: 'value', experiment, path }, values: recent });
  const newest = await newestOf(store, series, {
    values: recent,
    runIds: history.runIds.slice(-JUDGED),
    levels,
  });
  const drift = levels.levels.at(-1)?.drift;
  return {
    path: series.path,
    unit: series.unit,
    better: series.better,
    times: Array.from(history.times.slice(-limit)),
    values: Array.from(history.values.slice(-limit)),
    runIds: history.runIds.slice(-limit),
    ...(newest && { newest }),
    ...(drift && { drift }),
  };
}

/** Spreads, minima and counts that accompany the values proper; by habit of data files below "detailed". */
export function isDetail({ path }: Pick<Series, 'path'>): boolean {
  return path[0] === 'detailed';
}

/** The last values, and what was found in them. */
interface Judged {
  readonly values: Float64Array;
  readonly runIds: readonly string[];
  readonly levels: SeriesLevels;
}

async function newestOf(
  store: Store,
  { experiment, path, better }: Series,
  { values, runIds, levels }: Judged,
): Promise<NewestAgainstReference | undefined> {
  if (values.length === 0) return undefined;
  const key = seriesKey({ kind: 'value', experiment, path });
  const changes = await store.changes({ series: key, limit: JUDGED });
  const known = changes.map((change) => ({ change, place: runIds.lastIndexOf(change.runId) }));
  return judgeAgainstReference(values, better, { levels, known });
}
