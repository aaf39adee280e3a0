import type { BetterFrom, Series } from '../../../formats/core/sample.ts';
import type { Store } from '../../../home/core/store.ts';
import type { StandingVerdict } from '../../core/changes/reference-level.ts';
import type { Drift } from '../../core/levels/levels.ts';
import { type DrawnLevel, driftOf, readJudgement } from './stored-judgements.ts';

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
  readonly newest?: StandingVerdict;
  /** Where its present level goes on rising or falling. */
  readonly drift?: Drift;
}

/** `limit`: how many values are shown. */
export async function readSeries(store: Store, series: Series, limit: number): Promise<SeriesView> {
  const { times, values, runIds } = await store.history(series.id, { limit });
  const { newest, drift } = await readJudgedHistory(store, series);
  return {
    path: series.path,
    unit: series.unit,
    better: series.better,
    ...(series.betterFrom !== undefined && { betterFrom: series.betterFrom }),
    times: Array.from(times),
    values: Array.from(values),
    runIds,
    ...(newest && { newest }),
    ...(drift && { drift }),
  };
}

/** Spreads, minima and counts that accompany the values proper; by habit of data files below "detailed". */
export function isDetail({ path }: Pick<Series, 'path'>): boolean {
  return path[0] === 'detailed';
}

export type LevelView = Omit<DrawnLevel, 'scale' | 'drift'>;

export interface JudgedHistory extends Pick<SeriesView, 'newest' | 'drift'> {
  readonly levels: readonly LevelView[];
}

/** What was judged of a series, whatever range is shown: a zoom changes no verdict. No verdict while newer values wait for one. */
export async function readJudgedHistory(
  store: Pick<Store, 'judgement'>,
  { experiment, path }: Pick<Series, 'experiment' | 'path'>,
): Promise<JudgedHistory> {
  const judged = await readJudgement(store, { kind: 'value', experiment, path });
  if (judged === undefined) return { levels: [] };
  const drift = driftOf(judged);
  return {
    levels: judged.drawn.map(({ scale: _1, drift: _2, ...level }) => level),
    ...(!judged.isOutdated && { newest: judged.newest }),
    ...(drift && { drift }),
  };
}
