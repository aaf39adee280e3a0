import {
  changeDirection,
  changeId,
  type JudgedSeries,
  seriesKey,
} from '../../../home/core/changes/change.ts';
import type {
  ChangeEvent,
  FollowedChange,
  GrowingLedger,
  Sighting,
} from '../../../home/core/changes/change-ledger.ts';
import type { StoredJudgement } from '../../../home/core/store.ts';
import {
  judgeSeries,
  type KnownChange,
  type SeenChange,
  type SeriesRules,
} from '../../core/changes/judge-series.ts';
import type { NightKey } from '../../core/changes/night-of.ts';
import { type Reconciled, reconcile } from '../../core/changes/reconcile.ts';
import { newestAgainstReference } from '../../core/changes/reference-level.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import { judgeMany } from '../../core/newest/judge-many.ts';
import { NEWEST_WINDOW, type NewestInput } from '../../core/newest/judge-newest.ts';
import type { LoadedSeries } from '../series/series-to-judge.ts';
import { type DrawnLevel, drawnLevels, type Judgement, toStored } from '../series/stored-judgements.ts';
import type { WithoutMachine } from './known-machine-steps.ts';

export interface Circumstances {
  readonly rules: SeriesRules;
  readonly ledger: GrowingLedger;
  readonly now: number;
  /** Levels of values that were measured elsewhere, to be drawn beside these. */
  readonly older?: readonly DrawnLevel[];
  /** Where these values are among all of the series; absent: they are all. */
  readonly parts?: Judgement['parts'];
}

export interface SeriesOutcome {
  readonly events: readonly ChangeEvent[];
  readonly newest: NewestShift;
  /** New levels that are not in the ledger, as logarithms of their ratio with a standard error. */
  readonly steps: readonly LevelStep[];
  /** As it is stored. Texts: a home may have a hundred thousand series. */
  readonly judgement: StoredJudgement;
  readonly drawn: readonly DrawnLevel[];
  /** The same where its newest value is held back. */
  readonly heldBack?: StoredJudgement;
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
export function judgeOneSeries(loaded: WithoutMachine, circumstances: Circumstances): SeriesOutcome {
  const { rules, ledger, now, older = [], parts } = circumstances;
  const { series, better, history, isCut, moved } = loaded;
  const { values, runIds } = history;
  const known = knownChanges(series, runIds, ledger);
  const { levels, changes, input } = judgeSeries({ values, better, known }, rules);
  const { added, changed, withdrawn, followed } = reconcile({
    known: known.map(({ change }) => change),
    seen: changes,
    runIds,
    isCut,
  });
  const events: ChangeEvent[] = [
    ...withdrawn.map(({ id, isProvisional }): ChangeEvent => {
      return { type: 'withdrawn', at: now, id, reason: isProvisional ? GONE : UNSEEN };
    }),
    ...changed.map(({ known, seen, isBack }): ChangeEvent => {
      const isSure = (known.isProvisional && !seen.isProvisional) || (known.isLikely && !seen.isLikely);
      const type = isBack ? 'found' : isSure ? 'confirmed' : 'moved';
      return { type, at: now, change: sighting(loaded, seen, known.id) };
    }),
    ...unplaced(loaded, followed, changed).map(({ seen, known }): ChangeEvent => {
      return { type: 'moved', at: now, change: sighting(loaded, seen, known.id) };
    }),
    ...added
      .filter(({ isProvisional }) => !isProvisional)
      .map((seen) => found(loaded, seen, { ledger, now })),
  ];
  const candidate = added.find(({ isProvisional }) => isProvisional);
  const places = changes.map((seen): KnownChange => {
    // One that was withdrawn is found again.
    const { withdrawnAt: _, ...change } = followed.get(seen) ?? newChange(loaded, seen, { ledger, now });
    return { change, place: seen.index };
  });
  const drawn = [...older, ...drawnLevels(levels, history, moved)];
  const judged = (standing: readonly SeenChange[]): Judgement => ({
    ...{ detector: DETECTOR, rules, at: now, levels, changes: standing, moved, ...(parts && { parts }) },
    newest: newestAgainstReference({ values, better, known: places }, standing, rules),
    drawn,
  });
  return {
    events,
    drawn,
    newest: newestShift(loaded, candidate, input),
    steps: added.flatMap((one) => stepOf(loaded, one)),
    judgement: toStored(series, judged(changes)),
    ...(candidate && {
      heldBack: toStored(series, asHeldBack(judged(changes.filter((one) => one !== candidate)))),
    }),
  };
}

/** Changes that older versions recorded without the run before them. */
function unplaced(
  { history }: LoadedSeries,
  followed: Reconciled['followed'],
  changed: Reconciled['changed'],
): readonly { readonly seen: SeenChange; readonly known: FollowedChange }[] {
  const recorded = new Set(changed.map(({ seen }) => seen));
  return [...followed].flatMap(([seen, known]) => {
    const isKnown = known.lastRunId !== undefined || recorded.has(seen);
    return isKnown || lastRunBefore(seen.index, history) === undefined ? [] : [{ seen, known }];
  });
}

/** Changes of a series in the ledger, each with its place in the history. */
export function knownChanges(
  series: JudgedSeries,
  runIds: readonly string[],
  ledger: GrowingLedger,
): readonly (KnownChange & { readonly change: FollowedChange })[] {
  const ids = ledger.bySeries.get(seriesKey(series)) ?? [];
  return ids
    .flatMap((id) => ledger.changes.get(id) ?? [])
    .map((change) => ({ change, place: runIds.lastIndexOf(change.runId) }));
}

function newChange(
  loaded: LoadedSeries,
  seen: SeenChange,
  circumstances: Pick<Circumstances, 'ledger' | 'now'>,
): FollowedChange {
  return { ...found(loaded, seen, circumstances).change, foundAt: circumstances.now, state: 'new' };
}

const CHANCE = 'Held back: among so many series one may look like this by chance.';

export function asHeldBack({ newest, ...judgement }: Judgement): Judgement {
  const notes = [...newest.notes, CHANCE];
  return { ...judgement, newest: { ...newest, verdict: 'undecided', isHeldBack: true, notes } };
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
  return shifts.flatMap(({ from, candidate, lastRunId, runId, at }) => {
    if (!candidate) return [];
    const runIds = [...(lastRunId === undefined ? [] : [lastRunId]), runId];
    const around = {
      times: new Float64Array(runIds.length).fill(at),
      values: new Float64Array(runIds.length),
    };
    const place = { ...candidate, index: runIds.length - 1 };
    return [found({ ...from, history: { ...around, runIds } }, place, { ledger, now })];
  });
}

const GONE = 'The values since then do not confirm it.';
const UNSEEN = 'With the values since then, the detector does not find it.';

function found(
  loaded: LoadedSeries,
  seen: SeenChange,
  { ledger, now }: Pick<Circumstances, 'ledger' | 'now'>,
): Extract<ChangeEvent, { type: 'found' }> {
  const runId = loaded.history.runIds[seen.index] ?? '';
  const id = changeId(loaded.series, runId, (id) => ledger.changes.has(id));
  return { type: 'found', at: now, change: sighting(loaded, seen, id) };
}

function sighting(
  { series, unit, better, betterFrom, history }: LoadedSeries,
  seen: SeenChange,
  id: string,
): Sighting {
  const { index, before, after, shift, p, isProvisional, isLikely } = seen;
  const lastRunId = lastRunBefore(index, history);
  return {
    ...{ id, series, unit, better, ...(betterFrom !== undefined && { betterFrom }) },
    at: history.times[index] ?? 0,
    runId: history.runIds[index] ?? '',
    ...(lastRunId !== undefined && { lastRunId }),
    ...{ before, after, shift },
    p: Number.isNaN(p) ? 1 : p,
    direction: changeDirection(shift.difference, better),
    isProvisional,
    ...(isLikely && { isLikely }),
    detector: DETECTOR,
  };
}

/** A failure or a gap says nothing about the level. */
function lastRunBefore(index: number, { values, runIds }: LoadedSeries['history']): string | undefined {
  for (let place = index - 1; place >= 0; place--) if (Number.isFinite(values[place])) return runIds[place];
  return undefined;
}

function newestShift(
  { history, ...from }: LoadedSeries,
  candidate: SeenChange | undefined,
  { history: level, newest, better }: NewestInput,
): NewestShift {
  const { times, runIds } = history;
  const previous = valueAt(history, times.length - 2);
  const place = candidate?.index ?? Math.max(0, times.length - 1);
  const lastRunId = lastRunBefore(place, history);
  return {
    from,
    // A copy of the values that are used, so that the whole history can be freed.
    input: { history: level.slice(-NEWEST_WINDOW), newest: newest.slice(), better },
    ...(candidate && { candidate }),
    ...(lastRunId !== undefined && { lastRunId }),
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
  /** Run at which the candidate begins, and that of the last value before it. */
  readonly runId: string;
  readonly lastRunId?: string;
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
