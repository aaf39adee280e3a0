import { seriesKey } from '../../../home/core/changes/change.ts';
import type { ChangeEvent, GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { readAttendance } from './attendance.ts';
import { lookAtSeries, type SeriesTail, tailOf } from './look-at-series.ts';
import type { RuleBook } from './rules.ts';
import type { SeriesInHand } from './series-to-judge.ts';
import { kpiAbsences } from './watch-kpis.ts';
import { asExperiments, lostExperiments } from './whole-experiments.ts';

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
