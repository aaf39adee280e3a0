import type { BetterFrom, Series } from '../../../formats/core/sample.ts';
import { seriesKey } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { judgeAgainstReference, type NewestAgainstReference } from '../../core/changes/reference-level.ts';
import { levelInterval } from '../../core/levels/correlation.ts';
import type { Drift, SeriesLevels } from '../../core/levels/levels.ts';
import { JUDGED_VALUES, readLevels } from './stored-levels.ts';

/** A series with its recent past. Columns, so that a thousand nights cost no objects. */
export interface SeriesView {
  readonly path: readonly string[];
  readonly unit: string;
  readonly better: Series['better'];
  readonly betterFrom?: BetterFrom;
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly runIds: readonly string[];
  /** The newest value against the level that was accepted; absent without values, and where they are not judged yet. */
  readonly newest?: NewestAgainstReference;
  /** Where its present level goes on rising or falling. Places are those of the last values that are judged. */
  readonly drift?: Drift;
}

/** Values that a verdict rests on: more than are shown, so that an open change of last month still counts. */
const RECENT = JUDGED_VALUES.list;

/** `limit`: how many values are shown. */
export async function readSeries(store: Store, series: Series, limit: number): Promise<SeriesView> {
  const history = await store.history(series.id, { limit: Math.max(limit, RECENT) });
  const recent = history.values.subarray(-RECENT);
  const { experiment, path } = series;
  const levels = await readLevels(store, { series: { kind: 'value', experiment, path }, values: recent });
  const runIds = history.runIds.slice(-RECENT);
  const newest = levels && (await newestOf(store, series, { values: recent, runIds, levels }));
  const drift = levels?.levels.at(-1)?.drift;
  return {
    path: series.path,
    unit: series.unit,
    better: series.better,
    ...(series.betterFrom !== undefined && { betterFrom: series.betterFrom }),
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
): Promise<NewestAgainstReference> {
  const key = seriesKey({ kind: 'value', experiment, path });
  const changes = await store.changes({ series: key, limit: RECENT });
  const known = changes.map((change) => ({ change, place: runIds.lastIndexOf(change.runId) }));
  return judgeAgainstReference(values, better, { levels, known });
}

/** A range at one level: from its first to its last run, with the interval of the level. */
export interface LevelView {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** Absent: too few runs. */
  readonly low?: number;
  readonly high?: number;
  readonly count: number;
}

export interface JudgedHistory extends Pick<SeriesView, 'newest' | 'drift'> {
  readonly levels: readonly LevelView[];
  /** The newest value there is, whatever range is shown; absent: none is a number. */
  readonly newestValue?: number;
}

/** Newest runs whose levels are shown; more would make a page of charts slow. */
export const JUDGED = JUDGED_VALUES.chart;

export interface HistoryToJudge {
  readonly series: Series;
  /** Its changes, since their reviews decide what the newest value is compared with. */
  readonly known: readonly FollowedChange[];
  /** The newest `JUDGED` values. */
  readonly history: History;
}

/** Levels of the newest `JUDGED` runs whatever range is shown: a zoom changes no verdict. None where they are not judged. */
export async function readJudgedHistory(
  store: Store,
  { series, known, history }: HistoryToJudge,
): Promise<JudgedHistory> {
  const { times, values, runIds } = history;
  const { experiment, path } = series;
  const newestValue = values.findLast(Number.isFinite);
  const shown = newestValue !== undefined && { newestValue };
  const levels = await readLevels(store, { series: { kind: 'value', experiment, path }, values });
  if (!levels) return { levels: [], ...shown };
  const places = new Map(runIds.map((id, place) => [id, place]));
  const newest = judgeAgainstReference(values, series.better, {
    levels,
    known: known.map((change) => ({ change, place: places.get(change.runId) ?? -1 })),
  });
  const drift = levels.levels.at(-1)?.drift;
  return {
    newest,
    ...shown,
    ...(drift && { drift }),
    levels: levels.levels.map((level) => ({
      from: times[level.start] as number, // places of the history
      to: times[level.end - 1] as number,
      value: level.value,
      ...levelInterval(level, levels.noise),
      count: level.count,
    })),
  };
}
