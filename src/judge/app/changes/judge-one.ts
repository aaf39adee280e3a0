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
import { NEWEST_DEFAULTS, NEWEST_WINDOW, type NewestInput } from '../../core/newest/judge-newest.ts';
import type { NoisePrior } from '../../core/newest/value-noise.ts';
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
  /** What other series of its group show of the noise: see `pooled-noise.ts`. */
  readonly noise?: NoisePrior;
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
  /** Judges it again with the noise of its group; absent: it has values enough to show its own. */
  readonly again?: (noise: NoisePrior) => SeriesOutcome;
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
  const { rules, ledger, now, older = [], parts, noise } = circumstances;
  const { series, better, history, isCut, moved } = loaded;
  const { values, runIds } = history;
  const known = knownChanges(series, runIds, ledger);
  const { levels, changes, input } = judgeSeries({ values, better, known, ...(noise && { noise }) }, rules);
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
      return { type, at: now, change: sighting(loaded, seen, runsOf(seen, history), known.id) };
    }),
    ...unplaced(loaded, followed, changed).map(({ seen, known }): ChangeEvent => {
      return { type: 'moved', at: now, change: sighting(loaded, seen, runsOf(seen, history), known.id) };
    }),
    ...added
      .filter(({ isProvisional }) => !isProvisional)
      .map((seen) => found(loaded, seen, runsOf(seen, history), { ledger, now })),
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
    ...(noise && { noise }),
    newest: newestAgainstReference(
      { values, better, known: places, ...(noise && { noise }) },
      standing,
      rules,
    ),
    drawn,
  });
  return {
    events,
    drawn,
    newest: newestShift(loaded, { candidate, suspected: suspectedPlaces(known, changes) }, input),
    steps: added.flatMap((one) => stepOf(loaded, one)),
    judgement: toStored(series, judged(changes)),
    ...(candidate && {
      heldBack: toStored(series, asHeldBack(judged(changes.filter((one) => one !== candidate)))),
    }),
    ...(values.length <= SHORT && {
      again: (pooled: NoisePrior) => judgeOneSeries(loaded, { ...circumstances, noise: pooled }),
    }),
  };
}

/** Most values with which a series is judged by the noise of its group; more of its own leave the others little to say. */
const SHORT = 30;

/** Changes that older versions recorded without the run before them, and those of which the place is surer by now. */
function unplaced(
  { history }: LoadedSeries,
  followed: Reconciled['followed'],
  changed: Reconciled['changed'],
): readonly { readonly seen: SeenChange; readonly known: FollowedChange }[] {
  const recorded = new Set(changed.map(({ seen }) => seen));
  return [...followed].flatMap(([seen, known]) => {
    const [before, now] = [spanOf(known, history), spanOf(runsOf(seen, history), history)];
    const isUnplaced =
      before === undefined ? known.lastRunId === undefined : now !== undefined && now < before;
    return !isUnplaced || now === undefined || recorded.has(seen) ? [] : [{ seen, known }];
  });
}

/** How many runs lie between the last value that surely is at the old level and the first that surely is at the new one. */
function spanOf(
  { lastRunId, runId, sureRunId = runId }: RunsOfChange,
  { runIds }: LoadedSeries['history'],
): number | undefined {
  const [last, sure] = [runIds.lastIndexOf(lastRunId ?? ''), runIds.lastIndexOf(sureRunId)];
  return last < 0 || sure < 0 ? undefined : sure - last;
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
  const { change } = found(loaded, seen, runsOf(seen, loaded.history), circumstances);
  return { ...change, foundAt: circumstances.now, state: 'new' };
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
  return shifts.flatMap(({ from, candidate, place }) =>
    candidate ? [found(from, candidate, place, { ledger, now })] : [],
  );
}

const GONE = 'The values since then do not confirm it.';
const UNSEEN = 'With the values since then, the detector does not find it.';

function found(
  from: Omit<LoadedSeries, 'history'>,
  seen: SeenChange,
  place: RunsOfChange,
  { ledger, now }: Pick<Circumstances, 'ledger' | 'now'>,
): Extract<ChangeEvent, { type: 'found' }> {
  const id = changeId(from.series, place.runId, (id) => ledger.changes.has(id));
  return { type: 'found', at: now, change: sighting(from, seen, place, id) };
}

/** The runs that a change names. */
type RunsOfChange = Pick<Sighting, 'at' | 'runId' | 'lastRunId' | 'sureRunId' | 'returns'>;

function runsOf(
  { index, range, returns }: Pick<SeenChange, 'index' | 'range' | 'returns'>,
  history: LoadedSeries['history'],
): RunsOfChange {
  const { runIds, times } = history;
  const { first, last } = range ?? { first: index, last: index };
  const lastRunId = lastRunBefore(first, history);
  return {
    at: times[index] ?? 0,
    runId: runIds[index] ?? '',
    ...(lastRunId !== undefined && { lastRunId }),
    ...(last > index && { sureRunId: runIds[last] ?? '' }),
    ...(returns && { returns: { kind: returns.kind, runId: runIds[returns.index] ?? '' } }),
  };
}

function sighting(
  { series, unit, better, betterFrom }: Omit<LoadedSeries, 'history'>,
  seen: SeenChange,
  place: RunsOfChange,
  id: string,
): Sighting {
  const { before, after, shift, p, isProvisional, isLikely } = seen;
  return {
    ...{ id, series, unit, better, ...(betterFrom !== undefined && { betterFrom }) },
    ...place,
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

/** Where changes begin that are not certain yet. */
function suspectedPlaces(
  known: readonly (KnownChange & { readonly change: FollowedChange })[],
  changes: readonly SeenChange[],
): readonly number[] {
  const suspected = known.filter(({ change }) => change.isProvisional && change.withdrawnAt === undefined);
  const young = changes.filter(({ isProvisional }) => isProvisional);
  return [...suspected.map(({ place }) => place), ...young.map(({ index }) => index)];
}

function newestShift(
  { history, ...from }: LoadedSeries,
  {
    candidate,
    suspected,
  }: { readonly candidate: SeenChange | undefined; readonly suspected: readonly number[] },
  { history: level, newest, better }: NewestInput,
): NewestShift {
  const { times, runIds } = history;
  const previous = valueAt(history, times.length - 2);
  const index = Math.max(0, times.length - 1);
  const place = runsOf(candidate ?? { index }, history);
  // A copy of the values that are used, so that the whole history can be freed.
  const used = level.slice(-NEWEST_WINDOW);
  const last = history.values.length - newest.length;
  const inLevel = suspected.filter((index) => index > last - level.length && index < last);
  const unsettled = last - Math.min(last, ...inLevel);
  return {
    from,
    input: { history: used, newest: newest.slice(), better },
    settled: used.subarray(0, Math.max(0, used.length - unsettled)),
    ...(candidate && { candidate }),
    place,
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
  /** Values of its level that no younger change may have moved: they show its noise. */
  readonly settled: Float64Array;
  /** What other series of its group show of the noise: see `pooled-noise.ts`. */
  readonly noise?: NoisePrior;
  /** A change that it may be. */
  readonly candidate?: SeenChange;
  /** Runs of the candidate, or of the newest value. */
  readonly place: RunsOfChange;
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
  falseAlarms: number = NEWEST_DEFAULTS.falseAlarms,
): SelectedShifts {
  const candidates = shifts.filter(({ candidate }) => candidate !== undefined);
  if (candidates.length === 0) return { kept: [], heldBack: [] };
  const { verdicts } = judgeMany(
    shifts.map((shift) => ({ ...shift.input, id: shift, ...(shift.noise && { prior: shift.noise }) })),
    { falseAlarms },
  );
  // By the noise of its group it may not even look changed.
  const isChance = ({ isHeldBack, p = 1 }: (typeof verdicts)[number]) => isHeldBack || p >= falseAlarms;
  const held = new Set(verdicts.filter(isChance).map(({ id }) => id));
  return {
    kept: candidates.filter((shift) => !held.has(shift)),
    heldBack: candidates.filter((shift) => held.has(shift)),
  };
}
