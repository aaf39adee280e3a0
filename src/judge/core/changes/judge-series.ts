import type { Better, Shift } from '../../../home/core/changes/change.ts';
import type { RegressRules } from '../../../home/core/home.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { NewestVerdict, SeriesLevels } from '../levels/levels.ts';
import { confirmByValues } from '../newest/confirm.ts';
import { judgeNewest, type NewestInput, type NewestOptions } from '../newest/judge-newest.ts';
import { findYoungStep, type YoungStep } from '../newest/young-step.ts';

/** A change as it is found now, at its place in the history that was judged. */
export interface SeenChange {
  readonly index: number;
  /** Where the values do not decide it: the earliest and the latest index where it may have begun, at 95 %. */
  readonly range?: { readonly first: number; readonly last: number };
  readonly before: number;
  readonly after: number;
  readonly shift: Shift;
  readonly p: number;
  readonly isProvisional: boolean;
}

export interface SeriesJudgement {
  readonly levels: SeriesLevels;
  /** Between levels, in their order. */
  readonly seen: readonly SeenChange[];
  /** The newest values left their level; too few of them yet to be a level of their own. */
  readonly provisional?: SeenChange;
  /** The newest value against the level it belongs to. */
  readonly newest: NewestVerdict;
  /** What that verdict rests on. */
  readonly input: NewestInput;
}

export interface SeriesToJudge {
  readonly values: Float64Array;
  readonly better: Better;
  /** Where a change was seen before that may be too young to be a level of its own. */
  readonly provisionalAt?: number;
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

/** Levels of a series, and its newest values against the last of them. */
export function judgeSeries(series: SeriesToJudge, rules: SeriesRules = {}): SeriesJudgement {
  const { values, provisionalAt } = series;
  const levels = findChanges(
    { values },
    {
      ...(rules.minEffect !== undefined && { minEffect: rules.minEffect }),
      ...(rules.minDifference !== undefined && { minDifference: rules.minDifference }),
      ...(rules.thresholds && { maxP: rules.thresholds.maxP }),
    },
  );
  const seen = levels.changes.map(({ index, range, before, after, shift, p }) => {
    const place = { index, ...(range && { range }) };
    return { ...place, before: before.value, after: after.value, shift, p, isProvisional: false };
  });
  const start = levels.levels.at(-1)?.start ?? 0;
  const last = values.findLastIndex(Number.isFinite);
  const young = findYoungStep(values.subarray(start, last + 1));
  const judged = { ...series, values: withoutVisits(values, start, young) };
  const newest = verdictFrom(last, start, judged, rules);
  const since = [
    ...(young ? [start + young.index] : []),
    ...(provisionalAt === undefined ? [] : [provisionalAt]),
  ];
  const change =
    since
      .filter((at) => at > start && at < last)
      .map((at) => goingOn(at, { start, last }, judged, rules))
      .find((one) => one !== undefined) ?? asChange(newest, last, start, { series: judged, rules });
  const provisional = change && { ...change, ...rangeFrom(change.index, start, young) };
  const history = values.subarray(start, Math.max(last, start));
  const input = { history, newest: values.subarray(Math.max(last, start)), better: series.better };
  return { levels, seen, newest, input, ...(provisional && { provisional }) };
}

/** Values that lay at the new level before say nothing of the old one. */
function withoutVisits(values: Float64Array, start: number, young: YoungStep | undefined): Float64Array {
  if (young === undefined || young.visits.length === 0) return values;
  const left = values.slice();
  for (const visit of young.visits) left[start + visit] = Number.NaN;
  return left;
}

function rangeFrom(index: number, start: number, young: YoungStep | undefined): Pick<SeenChange, 'range'> {
  if (young?.range === undefined || start + young.index !== index) return {};
  return { range: { first: start + young.range.first, last: start + young.range.last } };
}

/**
 * Still there with the values that came since, and the newest alone says so too: a single spike is not. Provisional no
 * more when enough values that followed say the same without the one that raised suspicion.
 */
function goingOn(
  at: number,
  { start, last }: { readonly start: number; readonly last: number },
  series: SeriesToJudge,
  rules: SeriesRules,
): SeenChange | undefined {
  const since = asChange(verdictFrom(at, start, series, rules), at, start, { series, rules });
  const history = series.values.subarray(start, at);
  const alone = judgeNewest(
    { history, newest: series.values.subarray(last, last + 1), better: series.better },
    newestOptions(rules),
  );
  const agrees =
    since !== undefined &&
    isChanged(alone) &&
    Math.sign(alone.shift?.difference ?? 0) === Math.sign(since.shift.difference);
  return agrees ? { ...since, isProvisional: !isBorneOut(at, history, series, rules) } : undefined;
}

/** Values that must have followed; the detector needs one more to see a level in them. */
const FOLLOWING = 2;

function isBorneOut(
  at: number,
  history: Float64Array,
  { values, better }: SeriesToJudge,
  rules: SeriesRules,
): boolean {
  const following = values.subarray(at + 1).filter(Number.isFinite);
  if (following.length < FOLLOWING) return false;
  const options = newestOptions(rules);
  const verdict = judgeNewest({ history, newest: values.subarray(at, at + 1), better }, options);
  return confirmByValues({ history, better, verdict }, following, options).state === 'confirmed';
}

function verdictFrom(
  at: number,
  start: number,
  { values, better }: SeriesToJudge,
  rules: SeriesRules,
): NewestVerdict {
  const history = values.subarray(start, Math.max(at, start));
  return judgeNewest({ history, newest: values.subarray(Math.max(at, start)), better }, newestOptions(rules));
}

function asChange(
  { shift, p = 1, ...verdict }: NewestVerdict,
  index: number,
  start: number,
  { series, rules }: { readonly series: SeriesToJudge; readonly rules: SeriesRules },
): SeenChange | undefined {
  if (!shift || !isChanged(verdict)) return undefined;
  const size = Math.abs(shift.relative?.change ?? Number.POSITIVE_INFINITY);
  if (size < (rules.minEffect ?? 0) || Math.abs(shift.difference) < (rules.minDifference ?? 0))
    return undefined;
  const before = meanOf(series.values.subarray(start, index));
  return { index, before, after: before + shift.difference, shift, p, isProvisional: true };
}

export function isChanged({ verdict }: Pick<NewestVerdict, 'verdict'>): boolean {
  return verdict === 'faster' || verdict === 'slower' || verdict === 'changed';
}

function newestOptions({ minEffect, thresholds }: SeriesRules): Partial<NewestOptions> {
  return {
    ...(minEffect !== undefined && { minEffect }),
    ...(thresholds && { falseAlarms: thresholds.falseAlarms }),
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
