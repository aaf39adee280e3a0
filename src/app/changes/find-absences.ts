import type { GrowingLedger } from '../../core/changes/fold-ledger.ts';
import { seriesKey } from '../../core/changes/series-key.ts';
import type { ExperimentAttendance } from '../../core/judge/lost-experiment.ts';
import { findMissing } from '../../core/judge/missing.ts';
import type { ChangeEvent } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import type { RuleBook } from './rules.ts';
import type { SeriesInHand } from './series-to-judge.ts';
import { type AbsenceEvent, asExperiments, lostExperiments } from './whole-experiments.ts';

/** What stopped before these was never followed, or is forgotten on purpose. */
const LOOKED_AT = 30;

/** Says once that a series or a whole experiment stopped coming, and that it came back. */
export interface AbsenceWatch {
  see(hand: SeriesInHand, now: number): void;
  /** What is to be told after all series of a scope were seen. */
  conclude(now: number): Promise<readonly ChangeEvent[]>;
}

interface Books {
  readonly store: Store;
  readonly ledger: GrowingLedger;
  readonly rules: RuleBook;
}

export async function absenceWatch(books: Books): Promise<AbsenceWatch> {
  const { store, ledger } = books;
  const { nights, byExperiment } = await attendance(store);
  const events: AbsenceEvent[] = [];
  const newestOf = new Map<string, number>();
  const known = (experiment: string) => ledger.absences.get(seriesKey({ kind: 'experiment', experiment }));
  return {
    see(hand, now) {
      const { series, history } = hand;
      const lastAt = history.times.at(-1);
      if (series.kind !== 'value' || lastAt === undefined) return;
      const { experiment } = series;
      newestOf.set(experiment, Math.max(newestOf.get(experiment) ?? lastAt, lastAt));
      const event = lookAtSeries(hand, { trials: byExperiment.get(experiment) ?? [], ledger, now });
      if (event) events.push(event);
    },
    async conclude(now) {
      const isBack = (experiment: string) =>
        (newestOf.get(experiment) ?? -Infinity) > (known(experiment)?.lastAt ?? Infinity);
      const returned = [...ledger.absences.values()].flatMap(({ series }): readonly ChangeEvent[] => {
        if (series.kind !== 'experiment') return [];
        const trials = byExperiment.get(series.experiment);
        const isOff = books.rules.isInactive(series.experiment) || trials?.at(-1)?.state === 'inactive';
        const event = { type: 'returned', at: now, series } as const;
        if (isBack(series.experiment)) return [event];
        if (isOff) return [{ ...event, reason: 'inactive' }];
        return trials === undefined ? [{ ...event, reason: 'gone' }] : [];
      });
      const watched = [...byExperiment].filter(([experiment]) => !known(experiment));
      const lost = await lostExperiments(new Map(watched), nights, { ...books, now });
      const isAway = (experiment: string) => known(experiment) !== undefined && !isBack(experiment);
      return [...returned, ...lost, ...asExperiments(events, newestOf, isAway)];
    },
  };
}

interface SeriesBooks {
  readonly trials: ExperimentAttendance['trials'];
  readonly ledger: GrowingLedger;
  readonly now: number;
}

/** One that comes in every seventh run only may stay away longer. */
function lookAtSeries(
  { series, history }: SeriesInHand,
  { trials, ledger, now }: SeriesBooks,
): AbsenceEvent | undefined {
  const [lastAt, lastRunId] = [history.times.at(-1) ?? 0, history.runIds.at(-1) ?? ''];
  const newest = trials.findLast(({ state }) => state === 'succeeded')?.at ?? 0;
  const known = ledger.absences.get(seriesKey(series));
  if (lastAt >= newest) return known ? { type: 'returned', at: now, series } : undefined;
  if (lastAt < (trials[0]?.at ?? Infinity)) return undefined;
  const missing = findMissing({
    runs: trials.map(({ at, state }) => ({ at, succeeded: state === 'succeeded' })),
    seen: [...history.times],
    // That a whole experiment stays away is told of the experiment.
    now: trials.at(-1)?.at ?? now,
    ...(known && { reportedAfter: known.lastAt }),
  });
  return missing?.kind === 'series' ? { type: 'missing', at: now, series, lastAt, lastRunId } : undefined;
}

/** The newest nights, and the trials of each experiment in them; oldest first. */
async function attendance(store: Store): Promise<{
  readonly nights: readonly number[];
  readonly byExperiment: ReadonlyMap<string, ExperimentAttendance['trials']>;
}> {
  const nights = await store.latestRuns({ limit: LOOKED_AT, kind: 'night' });
  const startOf = new Map(nights.map(({ id, startedAt }) => [id, startedAt]));
  const byExperiment = new Map<string, ExperimentAttendance['trials'][number][]>();
  for (const { kind, state, task, runId } of await store.trialsOf(nights.map(({ id }) => id))) {
    if (kind !== 'experiment') continue;
    const list = byExperiment.get(task) ?? [];
    list.push({ at: startOf.get(runId) ?? 0, runId, state });
    byExperiment.set(task, list);
  }
  for (const list of byExperiment.values()) list.sort((a, b) => a.at - b.at);
  return { nights: nights.map(({ startedAt }) => startedAt).sort((a, b) => a - b), byExperiment };
}
