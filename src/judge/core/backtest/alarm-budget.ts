import { seededRandom, shuffle } from '../../../stats/random.ts';
import { median, sortedCopy } from '../../../stats/summary.ts';
import { type Share, wilsonShare } from '../../../stats/wilson.ts';
import { findChanges } from '../levels/find-changes.ts';
import { CHANGE_DEFAULTS } from '../levels/levels.ts';
import { compareNewest, LEAST_HISTORY, NEWEST_DEFAULTS } from '../newest/judge-newest.ts';

/** A series as it was stored: times in milliseconds since 1970, as many as values. */
export interface StoredHistory {
  readonly values: Float64Array;
  readonly times: Float64Array;
}

/** "At most one false alarm a week" is one in seven days. */
export interface AlarmBudget {
  readonly count: number;
  readonly perDays: number;
}

/** Thresholds that keep a budget. */
export interface BudgetedThresholds {
  /** For `judgeNewest` and `findChanges`. */
  readonly falseAlarms: number;
  readonly maxP: number;
  /** New values that are judged in one day, over all series, and false alarms in the days of the budget. */
  readonly judgedPerDay: number;
  readonly expected: number;
  /** Share of replayed values that would have been alarms, with its interval; absent where nothing could be replayed. */
  readonly replayed?: Share;
  /** Changes that the detector found at `maxP` where there are none; absent likewise. */
  readonly detector?: ReplayedDetector;
  /** From the replay, or computed since there is too little to replay. */
  readonly source: 'replayed' | 'computed';
  readonly notes: readonly string[];
}

/** A budget never makes thresholds laxer than the default, only stricter. */
const STRICTEST = 1e-6;

/** Fewest replayed values beyond the threshold: with fewer, the next one decides where it lies. */
const LEAST_BEYOND = 5;

/** Finds the thresholds with which the histories themselves would have stayed within the budget. */
export function budgetThresholds(
  histories: readonly StoredHistory[],
  budget: AlarmBudget,
): BudgetedThresholds {
  const judgedPerDay = histories.reduce((sum, { times }) => sum + perDay(times), 0);
  const perBudget = judgedPerDay * budget.perDays;
  const allowed = perBudget > 0 ? Math.min(1, budget.count / perBudget) : 1;
  const chances = sortedCopyOf(replayedChances(histories));
  const beyond = allowed * chances.length;
  const isReplayed = beyond >= LEAST_BEYOND;
  const raw = isReplayed ? (chances[Math.floor(beyond)] ?? 1) : allowed / excess(chances);
  const falseAlarms = Math.max(STRICTEST, Math.min(NEWEST_DEFAULTS.falseAlarms, raw));
  const replayed = wilsonShare(countBelow(chances, falseAlarms), chances.length);
  const detector = replayDetector(histories, allowed);
  const rate = isReplayed ? (replayed?.share ?? falseAlarms) : falseAlarms * excess(chances);
  return {
    falseAlarms,
    maxP: detector?.maxP ?? Math.min(CHANGE_DEFAULTS.maxP, falseAlarms / 10),
    judgedPerDay,
    expected: rate * perBudget,
    ...(replayed === undefined ? {} : { replayed }),
    ...(detector === undefined ? {} : { detector }),
    source: isReplayed ? 'replayed' : 'computed',
    notes: notesOf({ isReplayed, replayed: chances.length, raw, perBudget }),
  };
}

/** One over the median distance of runs: gaps and bursts of runs do not count. */
function perDay(times: Float64Array): number {
  const sorted = times.filter(Number.isFinite).sort();
  const steps = sorted.subarray(1).map((time, place) => time - (sorted[place] ?? 0));
  const gaps = steps.filter((step) => step > 0);
  return gaps.length === 0 ? 0 : DAY_MS / median(gaps);
}

const DAY_MS = 86_400_000;

/** How many times as often as promised small probabilities came: the judge's model against these series. */
function excess(chances: Float64Array): number {
  const at = 0.05;
  const expected = at * chances.length;
  if (expected < LEAST_BEYOND) return 1;
  return Math.max(1, countBelow(chances, at) / expected);
}

function countBelow(sorted: Float64Array, limit: number): number {
  const place = sorted.findIndex((chance) => chance >= limit);
  return place < 0 ? sorted.length : place;
}

function sortedCopyOf(values: Float64Array): Float64Array {
  return values.length === 0 ? values : sortedCopy(values);
}

function notesOf(found: {
  readonly isReplayed: boolean;
  readonly replayed: number;
  readonly raw: number;
  readonly perBudget: number;
}): readonly string[] {
  const notes: string[] = [];
  if (!found.isReplayed)
    notes.push(
      `${found.replayed} values could be replayed, too few for so small a budget: the threshold is computed.`,
    );
  if (found.perBudget === 0)
    notes.push('No series has two runs at different times: their cadence is unknown.');
  if (found.raw < STRICTEST)
    notes.push(
      'The budget is smaller than any threshold can keep: judge fewer series, or allow more alarms.',
    );
  return notes;
}

/** Values before the replayed one: enough to know the noise, few enough to be quick. */
const WINDOW = 30;
/** Most replayed values over all series; more would not move a threshold. */
const MOST_CHANCES = 20_000;

/**
 * Judges values again as if each were the newest, within the level that it belongs to. Real changes are borders of
 * levels and not replayed, so what looks unlikely here is a false alarm.
 */
function replayedChances(histories: readonly { readonly values: Float64Array }[]): Float64Array {
  const total = histories.reduce((sum, { values }) => sum + values.length, 0);
  const stride = Math.max(1, Math.ceil(total / MOST_CHANCES));
  return Float64Array.from(histories.flatMap(({ values }) => chancesOf(values, stride)));
}

function chancesOf(values: Float64Array, stride: number): readonly number[] {
  const { levels } = findChanges({ values });
  const chances: number[] = [];
  for (const { start, end } of levels) {
    const level = values.subarray(start, end).filter(Number.isFinite);
    for (let place = LEAST_HISTORY; place < level.length; place += stride) {
      const history = level.slice(Math.max(0, place - WINDOW), place);
      chances.push(compareNewest(history, level.slice(place, place + 1)).p);
    }
  }
  return chances;
}

/** How often the detector finds a change where there is none, at one strictness. */
export interface ReplayedDetector {
  readonly maxP: number;
  readonly changes: number;
  readonly values: number;
}

/** Long enough to keep what neighbours have in common, short enough that their order can be mixed. */
const BLOCK = 25;
const MOST_REPLAYED = 20_000;
/** Each ten times as strict as the one before. */
const STEPS = 4;

/**
 * The mildest strictness, from the default on, at which histories without their changes show at most `allowed` changes
 * a value; the strictest tried if none does. Undefined where histories are too short to mix their blocks.
 */
function replayDetector(
  histories: readonly { readonly values: Float64Array }[],
  allowed: number,
): ReplayedDetector | undefined {
  const steady = steadySeries(histories);
  const values = steady.reduce((sum, one) => sum + one.length, 0);
  if (values === 0) return undefined;
  let tried: ReplayedDetector | undefined;
  for (let step = 0; step < STEPS; step++) {
    const maxP = CHANGE_DEFAULTS.maxP * 10 ** -step;
    const changes = steady.reduce(
      (sum, one) => sum + findChanges({ values: one }, { maxP }).changes.length,
      0,
    );
    tried = { maxP, changes, values };
    if (changes <= allowed * values) break;
  }
  return tried;
}

/** Levels moved onto the first one, and blocks of nights in another order: what is found in these is chance. */
function steadySeries(histories: readonly { readonly values: Float64Array }[]): readonly Float64Array[] {
  const random = seededRandom(1);
  const steady: Float64Array[] = [];
  let total = 0;
  for (const { values } of histories) {
    if (values.length < 2 * BLOCK) continue;
    if (total >= MOST_REPLAYED) break;
    total += values.length;
    steady.push(mixed(level(values), random));
  }
  return steady;
}

function level(values: Float64Array): Float64Array {
  const { levels } = findChanges({ values });
  const first = levels[0]?.value ?? 0;
  const moved = values.slice();
  for (const { start, end, value } of levels) {
    const factor = first / value;
    // A level of 0, or of the other sign, has no ratio to the first: it is moved by the difference.
    for (let place = start; place < end; place++) {
      const old = moved[place] ?? 0;
      moved[place] = factor > 0 && Number.isFinite(factor) ? old * factor : old + first - value;
    }
  }
  return moved;
}

function mixed(values: Float64Array, random: () => number): Float64Array {
  const starts = Array.from({ length: Math.ceil(values.length / BLOCK) }, (_, block) => block * BLOCK);
  return Float64Array.from(
    shuffle(starts, random).flatMap((start) => [...values.subarray(start, start + BLOCK)]),
  );
}
