import { changeDirection, changeId, seriesKey } from '../../../home/core/changes/change.ts';
import type {
  ChangeEvent,
  FollowedChange,
  GrowingLedger,
  Sighting,
} from '../../../home/core/changes/change-ledger.ts';
import { judgeSeries, type SeenChange, type SeriesRules } from '../../core/changes/judge-series.ts';
import type { NightKey } from '../../core/changes/night-of.ts';
import { reconcile } from '../../core/changes/reconcile.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import { judgeMany } from '../../core/newest/judge-many.ts';
import { NEWEST_WINDOW, type NewestInput } from '../../core/newest/judge-newest.ts';
import type { LoadedSeries } from '../series/series-to-judge.ts';

interface Circumstances {
  readonly rules: SeriesRules;
  readonly ledger: GrowingLedger;
  readonly now: number;
}

export interface SeriesOutcome {
  readonly events: readonly ChangeEvent[];
  readonly newest: NewestShift;
  /** New levels that are not in the ledger, as logarithms of their ratio with a standard error. */
  readonly steps: readonly LevelStep[];
}

export interface LevelStep {
  readonly runId: string;
  readonly at: number;
  readonly logRatio: number;
  readonly error: number;
  /** The value before it. */
  readonly previous?: NightKey;
}

/** Judges one series: its levels against the changes in the ledger, and its newest value. */
export function judgeOneSeries(loaded: LoadedSeries, { rules, ledger, now }: Circumstances): SeriesOutcome {
  const { series, better, history, isCut } = loaded;
  const { values, runIds } = history;
  const known = (ledger.bySeries.get(seriesKey(series)) ?? []).flatMap((id) => ledger.changes.get(id) ?? []);
  const provisionalAt = placeOfNewest(known, runIds);
  const { seen, provisional, input } = judgeSeries(
    { values, better, ...(provisionalAt !== undefined && { provisionalAt }) },
    rules,
  );
  const { added, changed, withdrawn } = reconcile({
    known,
    seen: provisional ? [...seen, provisional] : seen,
    runIds,
    isCut,
  });
  const events: ChangeEvent[] = [
    ...withdrawn.map(({ id, isProvisional }): ChangeEvent => {
      return { type: 'withdrawn', at: now, id, reason: isProvisional ? GONE : UNSEEN };
    }),
    ...changed.map(({ known, seen, isBack }): ChangeEvent => {
      const isSure = known.isProvisional && !seen.isProvisional;
      const type = isBack ? 'found' : isSure ? 'confirmed' : 'moved';
      return { type, at: now, change: sighting(loaded, seen, known.id) };
    }),
    ...added
      .filter(({ isProvisional }) => !isProvisional)
      .map((seen) => found(loaded, seen, { ledger, now })),
  ];
  const candidate = added.find(({ isProvisional }) => isProvisional);
  return {
    events,
    newest: newestShift(loaded, candidate, input),
    steps: added.flatMap((one) => stepOf(loaded, one)),
  };
}

/** Only levels above 0 have a ratio. */
function stepOf(
  { history }: LoadedSeries,
  { index, before, shift, isProvisional }: SeenChange,
): readonly LevelStep[] {
  const [low, middle, high] = [shift.low, shift.difference, shift.high].map((by) => Math.log1p(by / before));
  const error = ((high ?? Number.NaN) - (low ?? Number.NaN)) / TWO_SIDES;
  if (isProvisional || !(before > 0) || middle === undefined || !Number.isFinite(error)) return [];
  const previous = valueAt(history, index - 1);
  return [
    {
      ...(valueAt(history, index) ?? { runId: '', at: 0 }),
      ...{ logRatio: middle, error },
      ...(previous && { previous }),
    },
  ];
}

function valueAt({ runIds, times }: LoadedSeries['history'], index: number): NightKey | undefined {
  const [runId, at] = [runIds[index], times[index]];
  return runId === undefined || at === undefined ? undefined : { runId, at };
}

/** Standard errors from one end of an interval of 95 % to the other. */
const TWO_SIDES = 2 * 1.96;

/** Newest values that remain after the comparison with all other series become provisional changes. */
export function provisionalEvents(
  shifts: readonly NewestShift[],
  ledger: GrowingLedger,
  now: number,
): readonly ChangeEvent[] {
  return shifts.flatMap(({ from, candidate, runId, at }) => {
    if (!candidate) return [];
    const place = { times: Float64Array.of(at), values: new Float64Array(1), runIds: [runId] };
    return [found({ ...from, history: place }, { ...candidate, index: 0 }, { ledger, now })];
  });
}

const GONE = 'The values since then do not confirm it.';
const UNSEEN = 'With the values since then, the detector does not find it.';

/** Place of the newest change, which may have too few values for the detector. */
function placeOfNewest(known: readonly FollowedChange[], runIds: readonly string[]): number | undefined {
  const seen = known.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const place = Math.max(-1, ...seen.map(({ runId }) => runIds.lastIndexOf(runId)));
  return place < 0 ? undefined : place;
}

function found(
  loaded: LoadedSeries,
  seen: SeenChange,
  { ledger, now }: Pick<Circumstances, 'ledger' | 'now'>,
): ChangeEvent {
  const runId = loaded.history.runIds[seen.index] ?? '';
  const id = changeId(loaded.series, runId, (id) => ledger.changes.has(id));
  return { type: 'found', at: now, change: sighting(loaded, seen, id) };
}

function sighting(
  { series, unit, better, betterFrom, history }: LoadedSeries,
  seen: SeenChange,
  id: string,
): Sighting {
  const { index, before, after, shift, p, isProvisional } = seen;
  return {
    ...{ id, series, unit, better, ...(betterFrom !== undefined && { betterFrom }) },
    at: history.times[index] ?? 0,
    runId: history.runIds[index] ?? '',
    ...{ before, after, shift },
    p: Number.isNaN(p) ? 1 : p,
    direction: changeDirection(shift.difference, better),
    isProvisional,
    detector: DETECTOR,
  };
}

function newestShift(
  { history, ...from }: LoadedSeries,
  candidate: SeenChange | undefined,
  { history: level, newest, better }: NewestInput,
): NewestShift {
  const { times, runIds } = history;
  const previous = valueAt(history, times.length - 2);
  const place = candidate?.index ?? Math.max(0, times.length - 1);
  return {
    from,
    // A copy of the values that are used, so that the whole history can be freed.
    input: { history: level.slice(-NEWEST_WINDOW), newest: newest.slice(), better },
    ...(candidate && { candidate }),
    runId: runIds[place] ?? '',
    at: times[place] ?? 0,
    firstAt: times[0] ?? 0,
    newestAt: times.at(-1) ?? 0,
    newestRunId: runIds.at(-1) ?? '',
    ...(previous && { previous }),
  };
}

/** The newest value of one series, to be judged together with those of the others. */
export interface NewestShift {
  readonly from: Omit<LoadedSeries, 'history'>;
  /** The newest value and those of its level before it. */
  readonly input: NewestInput;
  /** A change that it may be. */
  readonly candidate?: SeenChange;
  /** Run at which the candidate begins. */
  readonly runId: string;
  readonly at: number;
  /** Of the first value of the series, and of the newest. */
  readonly firstAt: number;
  readonly newestAt: number;
  readonly newestRunId: string;
  /** The value before the newest one. */
  readonly previous?: NightKey;
}

export interface SelectedShifts {
  readonly kept: readonly NewestShift[];
  /** Would be a change if it were the only series: among so many, some look like one by chance. */
  readonly heldBack: readonly NewestShift[];
}

/**
 * Decides over the newest values of all series of a run together: how many alarms chance alone would raise shows only
 * there. What a machine did to all of them has been taken out before.
 */
export function selectNewest(
  shifts: readonly NewestShift[],
  falseAlarms: number | undefined,
): SelectedShifts {
  const candidates = shifts.filter(({ candidate }) => candidate !== undefined);
  if (candidates.length === 0) return { kept: [], heldBack: [] };
  const options = falseAlarms === undefined ? {} : { falseAlarms };
  const { verdicts } = judgeMany(
    shifts.map((shift) => ({ ...shift.input, id: shift })),
    options,
  );
  const held = new Set(verdicts.filter(({ isHeldBack }) => isHeldBack).map(({ id }) => id));
  return {
    kept: candidates.filter((shift) => !held.has(shift)),
    heldBack: candidates.filter((shift) => held.has(shift)),
  };
}
