import type { Better, Shift } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { RegressRules } from '../../../home/core/home.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { SeriesLevels } from '../levels/levels.ts';
import { confirmByValues, isSuspicion } from '../newest/confirm.ts';
import { judgeNewest, type NewestInput } from '../newest/judge-newest.ts';
import { newestAgainstReference, type StandingVerdict } from './reference-level.ts';
import { newestOptions, sureness, withRules } from './sureness.ts';

/** One value of each run, oldest first, and what is known of their series. */
export interface SeriesHistory {
  /** Not a number: a failure or a gap. */
  readonly values: Float64Array;
  readonly better: Better;
  /** Changes that were found before: reviews decide what the newest value is compared with. */
  readonly known?: readonly KnownChange[];
  /** Nobody reviews its changes: each new level is accepted. */
  readonly acceptsLevels?: true;
}

export interface KnownChange {
  readonly change: Pick<FollowedChange, 'id' | 'state' | 'direction' | 'shift' | 'withdrawnAt'>;
  /** Of its first value in the history; -1: not in it. */
  readonly place: number;
}

/** Rules of the definition, and thresholds that keep false alarms within a budget. */
export interface SeriesRules extends RegressRules {
  readonly thresholds?: AlarmThresholds;
}

export interface AlarmThresholds {
  /** How often a newest value that did not change may be called changed. */
  readonly falseAlarms: number;
  /** How surprising a new level must be. */
  readonly maxP: number;
}

/** A change as it is found now, at its place in the history that was judged. */
export interface SeenChange {
  readonly index: number;
  readonly before: number;
  readonly after: number;
  readonly shift: Shift;
  readonly p: number;
  /** Too few values yet to be a level of their own. */
  readonly isProvisional: boolean;
  /** Probably beyond the smallest effect of interest, but not surely. */
  readonly isLikely?: true;
}

export interface SeriesJudgement {
  readonly levels: SeriesLevels;
  /** Between levels, in their order; the last may be provisional. */
  readonly changes: readonly SeenChange[];
  /** Where the series stands now, against the level that was accepted. */
  readonly newest: StandingVerdict;
  /** The newest value and the level before it: whether it is an alarm depends on all series of its run. */
  readonly input: NewestInput;
}

/**
 * The judge of a series: its levels, the changes between them, and where its newest value stands. Every command, page,
 * notice and exit code answers by it.
 */
export function judgeSeries(history: SeriesHistory, rules: SeriesRules = {}): SeriesJudgement {
  const { values, better } = history;
  const levels = findChanges({ values }, changeOptions(rules));
  const start = levels.levels.at(-1)?.start ?? 0;
  const last = values.findLastIndex(Number.isFinite);
  const old = levels.changes.flatMap(({ index, before, after, shift, p }) =>
    seen({ index, before: before.value, after: after.value, shift, p, isProvisional: false }, rules),
  );
  const young = youngChange(history, { start, last }, rules);
  const changes = young ? [...old, young] : old;
  return {
    levels,
    changes,
    newest: newestAgainstReference(history, changes, rules),
    input: {
      history: values.subarray(start, Math.max(last, start)),
      newest: values.subarray(Math.max(last, start)),
      better,
    },
  };
}

function changeOptions({ minEffect, minDifference, thresholds }: SeriesRules) {
  return {
    ...(minEffect !== undefined && { minEffect }),
    ...(minDifference !== undefined && { minDifference }),
    ...(thresholds && { maxP: thresholds.maxP }),
  };
}

/** A shift that may well be smaller than the smallest effect of interest is no change. */
function seen(change: SeenChange, rules: SeriesRules): readonly SeenChange[] {
  const found = sureness(change.shift, rules);
  if (found === 'no') return [];
  return [found === 'likely' ? { ...change, isLikely: true } : change];
}

interface Present {
  /** Of the level at which the history ends, and of the newest value. */
  readonly start: number;
  readonly last: number;
}

/** The newest values left their level, and are too few to be one. */
function youngChange(
  history: SeriesHistory,
  { start, last }: Present,
  rules: SeriesRules,
): SeenChange | undefined {
  const places = (history.known ?? []).filter(({ change }) => change.withdrawnAt === undefined);
  const place = Math.max(-1, ...places.map((known) => known.place));
  const since = place > start && place < last ? goingOn(place, { start, last }, history, rules) : undefined;
  return since ?? changeFrom(last, start, history, rules);
}

/**
 * Still there with the values that came since, and the newest alone says so too: a single spike is not. Provisional no
 * more when enough values that followed say the same without the one that raised suspicion.
 */
function goingOn(
  at: number,
  { start, last }: Present,
  history: SeriesHistory,
  rules: SeriesRules,
): SeenChange | undefined {
  const { values, better } = history;
  const since = changeFrom(at, start, history, rules);
  const level = values.subarray(start, at);
  const newest = values.subarray(last, last + 1);
  const alone = withRules(judgeNewest({ history: level, newest, better }, newestOptions(rules)), rules);
  const agrees =
    since !== undefined &&
    isSuspicion(alone) &&
    Math.sign(alone.shift?.difference ?? 0) === Math.sign(since.shift.difference);
  return agrees ? { ...since, isProvisional: !isBorneOut(at, level, history, rules) } : undefined;
}

/** Values that must have followed; the detector needs one more to see a level in them. */
const FOLLOWING = 2;

function isBorneOut(
  at: number,
  level: Float64Array,
  { values, better }: SeriesHistory,
  rules: SeriesRules,
): boolean {
  const following = values.subarray(at + 1).filter(Number.isFinite);
  if (following.length < FOLLOWING) return false;
  const options = newestOptions(rules);
  const verdict = judgeNewest({ history: level, newest: values.subarray(at, at + 1), better }, options);
  return confirmByValues({ history: level, better, verdict }, following, options).state === 'confirmed';
}

/** The values from this index on, as a change of the level before them. */
function changeFrom(
  index: number,
  start: number,
  { values, better }: SeriesHistory,
  rules: SeriesRules,
): SeenChange | undefined {
  const history = values.subarray(start, Math.max(index, start));
  const newest = values.subarray(Math.max(index, start));
  const found = withRules(judgeNewest({ history, newest, better }, newestOptions(rules)), rules);
  const { shift, p = 1 } = found;
  if (!shift || (!isSuspicion(found) && found.likely === undefined)) return undefined;
  const before = meanOf(history);
  return {
    ...{ index, before, after: before + shift.difference, shift, p, isProvisional: true },
    ...(found.likely !== undefined && { isLikely: true }),
  };
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
