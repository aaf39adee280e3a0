import { median, sortedCopy } from '../../../stats/summary.ts';
import { CHANGE_DEFAULTS } from '../levels/options.ts';
import { NEWEST_DEFAULTS } from './judge-newest.ts';
import { replayedChances } from './replay-chances.ts';
import { type ReplayedDetector, replayDetector } from './replay-detector.ts';
import { type Share, wilsonShare } from './wilson.ts';

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

/** Below this no budget makes the judge milder: thresholds only get stricter than the default. */
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
    notes.push('No series has two runs at different times: their cadence is not known.');
  if (found.raw < STRICTEST)
    notes.push(
      'The budget is smaller than any threshold can keep: judge fewer series, or allow more alarms.',
    );
  return notes;
}
