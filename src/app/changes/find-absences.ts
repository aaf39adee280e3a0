import type { GrowingLedger } from '../../core/changes/fold-ledger.ts';
import { seriesKey } from '../../core/changes/series-key.ts';
import type { ChangeEvent } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import type { SeriesInHand } from './series-to-judge.ts';

/** Absent from so many runs in which its experiment succeeded: it stopped coming. */
const ENOUGH = 3;
/** What stopped before these was never followed, or is forgotten on purpose. */
const LOOKED_AT = 30;

/** Says once that a series stopped coming, and that it came back. */
export async function absenceWatch(
  store: Store,
  ledger: GrowingLedger,
): Promise<(hand: SeriesInHand, now: number) => ChangeEvent | undefined> {
  const starts = await successfulStarts(store);
  return ({ series, history }, now) => {
    const [lastAt, lastRunId] = [history.times.at(-1), history.runIds.at(-1)];
    if (series.kind !== 'value' || lastAt === undefined || lastRunId === undefined) return undefined;
    const runs = starts.get(series.experiment) ?? [];
    const isKnown = ledger.absences.has(seriesKey(series));
    const newest = runs[0] ?? 0;
    if (lastAt >= newest) return isKnown ? { type: 'returned', at: now, series } : undefined;
    const isMissing = lastAt < (runs[ENOUGH - 1] ?? -Infinity) && lastAt >= (runs.at(-1) ?? Infinity);
    return isMissing && !isKnown ? { type: 'missing', at: now, series, lastAt, lastRunId } : undefined;
  };
}

/** Starts of the newest nights in which each experiment succeeded, newest first. */
async function successfulStarts(store: Store): Promise<ReadonlyMap<string, readonly number[]>> {
  const runs = await store.latestRuns({ limit: LOOKED_AT, kind: 'night' });
  const trials = await store.trialsOf(runs.map(({ id }) => id));
  const startOf = new Map(runs.map(({ id, startedAt }) => [id, startedAt]));
  const starts = new Map<string, number[]>();
  for (const { kind, state, task, runId } of trials) {
    if (kind !== 'experiment' || state !== 'succeeded') continue;
    const list = starts.get(task) ?? [];
    list.push(startOf.get(runId) ?? 0);
    starts.set(task, list);
  }
  for (const list of starts.values()) list.sort((a, b) => b - a);
  return starts;
}
