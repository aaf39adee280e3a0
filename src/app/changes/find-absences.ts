import type { GrowingLedger } from '../../core/changes/fold-ledger.ts';
import { seriesKey } from '../../core/changes/series-key.ts';
import { type Attendance, findMissing } from '../../core/judge/missing.ts';
import type { ChangeEvent } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import type { SeriesInHand } from './series-to-judge.ts';

/** What stopped before these was never followed, or is forgotten on purpose. */
const LOOKED_AT = 30;

/** Says once that a series stopped coming, and that it came back. One that comes in every seventh run only may stay away longer. */
export async function absenceWatch(
  store: Store,
  ledger: GrowingLedger,
): Promise<(hand: SeriesInHand, now: number) => ChangeEvent | undefined> {
  const nights = await runsByExperiment(store);
  return ({ series, history }, now) => {
    const [lastAt, lastRunId] = [history.times.at(-1), history.runIds.at(-1)];
    if (series.kind !== 'value' || lastAt === undefined || lastRunId === undefined) return undefined;
    const runs = nights.get(series.experiment) ?? [];
    const newest = runs.findLast(({ succeeded }) => succeeded)?.at ?? 0;
    const known = ledger.absences.get(seriesKey(series));
    if (lastAt >= newest) return known ? { type: 'returned', at: now, series } : undefined;
    if (lastAt < (runs[0]?.at ?? Infinity)) return undefined;
    // That a whole experiment stays away is seen by its nights: "now" is its last one.
    const missing = findMissing({
      ...{ runs, seen: [...history.times], now: runs.at(-1)?.at ?? now },
      ...(known && { reportedAfter: known.lastAt }),
    });
    return missing?.kind === 'series' ? { type: 'missing', at: now, series, lastAt, lastRunId } : undefined;
  };
}

/** The newest nights of each experiment, oldest first. */
async function runsByExperiment(store: Store): Promise<ReadonlyMap<string, Attendance['runs']>> {
  const nights = await store.latestRuns({ limit: LOOKED_AT, kind: 'night' });
  const trials = await store.trialsOf(nights.map(({ id }) => id));
  const startOf = new Map(nights.map(({ id, startedAt }) => [id, startedAt]));
  const runs = new Map<string, { at: number; succeeded: boolean }[]>();
  for (const { kind, state, task, runId } of trials) {
    if (kind !== 'experiment') continue;
    const list = runs.get(task) ?? [];
    list.push({ at: startOf.get(runId) ?? 0, succeeded: state === 'succeeded' });
    runs.set(task, list);
  }
  for (const list of runs.values()) list.sort((a, b) => a.at - b.at);
  return runs;
}
