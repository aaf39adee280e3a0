import type { ChangeEvent } from '../../../home/core/changes/change-ledger.ts';
import type { JudgedSeries } from '../../../home/core/changes/change-record.ts';
import type { GrowingLedger } from '../../../home/core/changes/fold-ledger.ts';
import { seriesKey } from '../../../home/core/changes/series-key.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { findMissing } from '../../core/absences/missing.ts';
import type { RuleBook } from '../series/judging-rules.ts';
import type { SeriesInHand } from '../series/series-to-judge.ts';
import { type Comings, readAttendance } from './attendance.ts';
import { kpiAbsences } from './watch-kpis.ts';
import { type AbsenceEvent, asExperiments, lostExperiments } from './whole-experiments.ts';

/** Says once that a series, a whole experiment or a whole workload stopped coming, and that it came back. */
export interface AbsenceWatch {
  see(hand: SeriesInHand): void;
  /** What is to be told after all series of a scope were seen. */
  conclude(now: number): Promise<readonly ChangeEvent[]>;
}

interface Books {
  readonly home: string;
  readonly disk: Disk;
  readonly store: Store;
  readonly ledger: GrowingLedger;
  readonly rules: RuleBook;
}

export async function absenceWatch(books: Books): Promise<AbsenceWatch> {
  const { store, ledger, rules } = books;
  const attendance = await readAttendance(store);
  const { byExperiment } = attendance;
  const tails: SeriesTail[] = [];
  const newestOf = new Map<string, number>();
  const cameIn = new Map<string, Set<string>>();
  const known = (experiment: string) => ledger.absences.get(seriesKey({ kind: 'experiment', experiment }));
  const isBack = (experiment: string) =>
    (newestOf.get(experiment) ?? -Infinity) > (known(experiment)?.lastAt ?? Infinity);

  const returned = (now: number) =>
    [...ledger.absences.values()].flatMap(({ series }): readonly ChangeEvent[] => {
      if (series.kind !== 'experiment') return [];
      const comings = byExperiment.get(series.experiment);
      const isOff = rules.isInactive(series.experiment) || comings?.nights.at(-1)?.state === 'inactive';
      const event = { type: 'returned', at: now, series } as const;
      if (isBack(series.experiment)) return [event];
      if (isOff) return [{ ...event, reason: 'inactive' }];
      return comings === undefined ? [{ ...event, reason: 'gone' }] : [];
    });

  return {
    see(hand) {
      const tail = tailOf(hand);
      if (!tail) return;
      tails.push(tail);
      const { experiment } = tail.series;
      newestOf.set(experiment, Math.max(newestOf.get(experiment) ?? -Infinity, tail.times.at(-1) ?? 0));
      const runs = cameIn.get(experiment) ?? new Set();
      for (const runId of tail.runIds) runs.add(runId);
      cameIn.set(experiment, runs);
    },
    async conclude(now) {
      const events = tails.flatMap((tail) => {
        const { experiment } = tail.series;
        const came = cameIn.get(experiment) ?? new Set<string>();
        const comings = byExperiment.get(experiment);
        return lookAtSeries(tail, { comings, cameIn: came, ledger, now }) ?? [];
      });
      const watched = new Map([...byExperiment].filter(([experiment]) => !known(experiment)));
      const lost = await lostExperiments({ ...attendance, byExperiment: watched }, { store, rules, now });
      const isAway = (experiment: string) => known(experiment) !== undefined && !isBack(experiment);
      const kpis = await kpiAbsences({ ...books, attendance, now });
      return [...returned(now), ...lost, ...asExperiments(events, newestOf, isAway), ...kpis];
    },
  };
}

/** The newest values of a series, as far as nights and imports are looked at. */
export interface SeriesTail {
  readonly series: Extract<JudgedSeries, { kind: 'value' }>;
  readonly times: readonly number[];
  readonly runIds: readonly string[];
}

const TAIL = 60;

function tailOf({ series, history }: SeriesInHand): SeriesTail | undefined {
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
function lookAtSeries(tail: SeriesTail, books: SeriesBooks): AbsenceEvent | undefined {
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
