import type { Series } from '../../../formats/core/sample.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { isDetail } from '../../../judge/app/series/series-values.ts';
import { readJudgement } from '../../../judge/app/series/stored-judgements.ts';
import { median, quantile } from '../../../stats/summary.ts';
import type { NoiseOverTime, NoiseSummary } from './machine-view.ts';

/** How far the values of series lie from their levels, by run. */
export interface NoiseTable {
  readonly series: { readonly used: number; readonly all: number };
  /** Of the runs that are given. */
  summary(runIds: ReadonlySet<string>): NoiseSummary | undefined;
  overTime(runs: readonly Run[]): NoiseOverTime;
}

/** A hundred series estimate the noise of a machine as well as ten thousand, and are read quickly. */
const SERIES = 100;
const SERIES_LISTED = 10_000;
const HISTORY = 200;
const FEWEST_VALUES = 5;
const FEWEST_SERIES = 3;
/** Of normal values half lie nearer than 0.67 deviations: times this it is the standard deviation. */
const TO_DEVIATION = 1.4826;

/** Distances from the level, as fractions of it: a change of level is not noise. */
export async function readNoise(store: Store): Promise<NoiseTable> {
  const all = (await store.series({ limit: SERIES_LISTED })).filter((one) => !isDetail(one));
  // Evenly out of all, so that no single experiment dominates.
  const step = Math.max(1, all.length / SERIES);
  const some = Array.from(
    { length: Math.min(SERIES, all.length) },
    (_, place) => all[Math.floor(place * step)],
  );
  const bySeries: ReadonlyMap<string, number>[] = [];
  for (const one of some) if (one) bySeries.push(await distances(one, store));
  return {
    series: { used: bySeries.length, all: all.length },
    summary: (runIds) => summaryOf(bySeries, runIds),
    overTime: (runs) => overTime(bySeries, runs),
  };
}

async function distances(
  { id, experiment, path }: Series,
  store: Store,
): Promise<ReadonlyMap<string, number>> {
  const { values, times, runIds } = await store.history(id, { limit: HISTORY });
  const found = new Map<string, number>();
  const series = { kind: 'value', experiment, path } as const;
  // Values that are not judged yet count from then on.
  const { drawn: levels } = (await readJudgement(store, series)) ?? { drawn: [] };
  for (const { from, to, value, count } of levels) {
    if (count < FEWEST_VALUES || value === 0) continue;
    for (const [place, at] of times.entries()) {
      if (at < from || at > to) continue;
      const distance = Math.abs(((values[place] ?? Number.NaN) - value) / value);
      if (Number.isFinite(distance)) found.set(runIds[place] ?? '', distance);
    }
  }
  return found;
}

function summaryOf(
  bySeries: readonly ReadonlyMap<string, number>[],
  runIds: ReadonlySet<string>,
): NoiseSummary | undefined {
  const scales = bySeries.flatMap((distancesOf) => {
    const own = [...distancesOf].flatMap(([runId, distance]) => (runIds.has(runId) ? [distance] : []));
    return own.length < FEWEST_VALUES ? [] : [median(own) * TO_DEVIATION];
  });
  if (scales.length === 0) return undefined;
  const [low, high] = [quantile(scales, 0.25), quantile(scales, 0.75)];
  return { median: median(scales), low, high, series: scales.length };
}

function overTime(bySeries: readonly ReadonlyMap<string, number>[], runs: readonly Run[]): NoiseOverTime {
  const rows = runs.flatMap(({ id, startedAt }) => {
    const found = bySeries.flatMap((one) => one.get(id) ?? []);
    if (found.length < FEWEST_SERIES) return [];
    return [{ id, at: startedAt, value: median(found) * TO_DEVIATION, count: found.length }];
  });
  const sorted = rows.toSorted((a, b) => a.at - b.at);
  return {
    times: sorted.map(({ at }) => at),
    values: sorted.map(({ value }) => value),
    runIds: sorted.map(({ id }) => id),
    counts: sorted.map(({ count }) => count),
  };
}
