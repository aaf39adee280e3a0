import type { Series } from '../../formats/core/sample.ts';
import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import type { History, Store } from '../../home/core/store.ts';
import { judgeAgainstReference } from '../core/changes/reference-level.ts';
import { levelInterval } from '../core/levels/correlation.ts';
import type { SeriesView } from './read-values.ts';
import { JUDGED_VALUES, readLevels } from './stored-levels.ts';

/** A stretch at one level: from its first to its last run, with the interval of the level. */
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
  /** The newest value there is, whatever stretch is shown; absent: none is a number. */
  readonly newestValue?: number;
}

/** The newest runs whose levels are looked for: a page of charts is answered in a moment. */
export const JUDGED = JUDGED_VALUES.chart;

export interface HistoryToJudge {
  readonly series: Series;
  /** Its changes, for what people said of them decides what the newest value is compared with. */
  readonly known: readonly FollowedChange[];
  /** The newest `JUDGED` values. */
  readonly history: History;
}

/** Levels of the newest `JUDGED` runs whatever stretch is shown: a zoom changes no verdict. */
export async function judgedHistory(
  store: Store,
  { series, known, history }: HistoryToJudge,
): Promise<JudgedHistory> {
  const { times, values, runIds } = history;
  const { experiment, path } = series;
  if (values.length === 0) return { levels: [] };
  const levels = await readLevels(store, { series: { kind: 'value', experiment, path }, values });
  const places = new Map(runIds.map((id, place) => [id, place]));
  const newest = judgeAgainstReference(values, series.better, {
    levels,
    known: known.map((change) => ({ change, place: places.get(change.runId) ?? -1 })),
  });
  const newestValue = values.findLast(Number.isFinite);
  const drift = levels.levels.at(-1)?.drift;
  return {
    newest,
    ...(newestValue !== undefined && { newestValue }),
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
