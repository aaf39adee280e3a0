import type { JudgedSeries } from '../../../home/core/changes/change-record.ts';
import type { GrowingLedger } from '../../../home/core/changes/fold-ledger.ts';
import { seriesKey } from '../../../home/core/changes/series-key.ts';
import { findMissing } from '../../core/absences/missing.ts';
import type { Comings } from './attendance.ts';
import type { SeriesInHand } from './series-to-judge.ts';
import type { AbsenceEvent } from './whole-experiments.ts';

/** The newest values of a series, as far as nights and imports are looked at. */
export interface SeriesTail {
  readonly series: Extract<JudgedSeries, { kind: 'value' }>;
  readonly times: readonly number[];
  readonly runIds: readonly string[];
}

const TAIL = 60;

export function tailOf({ series, history }: SeriesInHand): SeriesTail | undefined {
  if (series.kind !== 'value' || history.times.length === 0) return undefined;
  return { series, times: [...history.times.slice(-TAIL)], runIds: history.runIds.slice(-TAIL) };
}

interface SeriesBooks {
  readonly comings: Comings | undefined;
  /** Runs in which something of the experiment came, also where a part of it failed. */
  readonly cameIn: ReadonlySet<string>;
  readonly ledger: GrowingLedger;
  readonly now: number;
}

/** One that comes in every seventh run only may stay away longer. */
export function lookAtSeries(tail: SeriesTail, books: SeriesBooks): AbsenceEvent | undefined {
  const { series, times, runIds } = tail;
  const { ledger, now, cameIn } = books;
  const [lastAt, lastRunId] = [times.at(-1) ?? 0, runIds.at(-1) ?? ''];
  const known = ledger.absences.get(seriesKey(series));
  if (known && lastAt > known.lastAt) return { type: 'returned', at: now, series };
  const trials = trialsLike(lastRunId, books.comings);
  // A point of a matrix that fails is missing, though the experiment as a whole has failed.
  const runs = trials.map(({ at, runId, state }) => ({
    at,
    succeeded: state === 'succeeded' || (state === 'failed' && cameIn.has(runId)),
  }));
  const newest = runs.findLast(({ succeeded }) => succeeded)?.at ?? 0;
  if (lastAt >= newest || lastAt < (runs[0]?.at ?? Infinity)) return undefined;
  const missing = findMissing({
    runs,
    seen: times,
    // That a whole experiment stays away is told of the experiment.
    now: runs.at(-1)?.at ?? now,
    ...(known && { reportedAfter: known.lastAt }),
  });
  return missing?.kind === 'series' ? { type: 'missing', at: now, series, lastAt, lastRunId } : undefined;
}

/** What was imported is waited for in imports: a history from elsewhere is no part of later nights. */
function trialsLike(runId: string, comings: Comings | undefined): Comings['nights'] {
  const isOfImport = comings?.imports.some((trial) => trial.runId === runId);
  return (isOfImport ? comings?.imports : comings?.nights) ?? [];
}
