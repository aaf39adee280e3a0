import { type JudgedSeries, seriesKey } from '../../../home/core/changes/change.ts';
import type { ChangeEvent, GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { findMissing } from '../../core/absences/missing.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import type { LoadedSeries } from '../series/series-to-judge.ts';
import { type Presence, readAttendance } from './attendance.ts';
import { kpiAbsences } from './watch-kpis.ts';
import { type AbsenceEvent, asExperiments, lostExperiments } from './whole-experiments.ts';

/** Reports once that a series, a whole experiment or a whole workload stopped coming, and that it came back. */
export interface AbsenceWatch {
  see(loaded: LoadedSeries): void;
  /** What to report after all series of a scope were seen. */
  conclude(now: number): Promise<readonly ChangeEvent[]>;
}

interface WatchContext {
  readonly home: string;
  readonly disk: Disk;
  readonly store: Store;
  readonly ledger: GrowingLedger;
  readonly rules: JudgingRules;
}

export async function absenceWatch(context: WatchContext): Promise<AbsenceWatch> {
  const { store, ledger, rules } = context;
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
      const presence = byExperiment.get(series.experiment);
      const isOff = rules.isInactive(series.experiment) || presence?.nights.at(-1)?.state === 'inactive';
      const event = { type: 'returned', at: now, series } as const;
      if (isBack(series.experiment)) return [event];
      if (isOff) return [{ ...event, reason: 'inactive' }];
      return presence === undefined ? [{ ...event, reason: 'gone' }] : [];
    });

  return {
    see(loaded) {
      const tail = tailOf(loaded);
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
        const presence = byExperiment.get(experiment);
        return absenceOf(tail, { presence, cameIn: came, ledger, now }) ?? [];
      });
      const watched = new Map([...byExperiment].filter(([experiment]) => !known(experiment)));
      const lost = await lostExperiments({ ...attendance, byExperiment: watched }, { store, rules, now });
      const isMissing = (experiment: string) => known(experiment) !== undefined && !isBack(experiment);
      const kpis = await kpiAbsences({ ...context, attendance, now });
      return [...returned(now), ...lost, ...asExperiments(events, newestOf, isMissing), ...kpis];
    },
  };
}

/** The newest values of a series, as many as nights and imports are read. */
export interface SeriesTail {
  readonly series: Extract<JudgedSeries, { kind: 'value' }>;
  readonly times: readonly number[];
  readonly runIds: readonly string[];
}

const TAIL = 60;

function tailOf({ series, history }: LoadedSeries): SeriesTail | undefined {
  if (series.kind !== 'value' || history.times.length === 0) return undefined;
  return { series, times: [...history.times.slice(-TAIL)], runIds: history.runIds.slice(-TAIL) };
}

interface SeriesPresence {
  readonly presence: Presence | undefined;
  /** Runs in which something of the experiment came, also where a part of it failed. */
  readonly cameIn: ReadonlySet<string>;
  readonly ledger: GrowingLedger;
  readonly now: number;
}

/** A series that has a value in every seventh run only may be absent for longer. */
function absenceOf(tail: SeriesTail, context: SeriesPresence): AbsenceEvent | undefined {
  const { series, times, runIds } = tail;
  const { ledger, now, cameIn } = context;
  const [lastAt, lastRunId] = [times.at(-1) ?? 0, runIds.at(-1) ?? ''];
  const known = ledger.absences.get(seriesKey(series));
  if (known && lastAt > known.lastAt) return { type: 'returned', at: now, series };
  const trials = trialsLike(lastRunId, context.presence);
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
    // An absent experiment is reported as one absence, not as one of each series.
    now: runs.at(-1)?.at ?? now,
    ...(known && { reportedAfter: known.lastAt }),
  });
  return missing?.kind === 'series' ? { type: 'missing', at: now, series, lastAt, lastRunId } : undefined;
}

/** An imported series is expected in imports only: nights do not measure it. */
function trialsLike(runId: string, presence: Presence | undefined): Presence['nights'] {
  const isOfImport = presence?.imports.some((trial) => trial.runId === runId);
  return (isOfImport ? presence?.imports : presence?.nights) ?? [];
}
