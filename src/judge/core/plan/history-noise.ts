import { isConstant, mean } from '../../../stats/summary.ts';
import { findChanges } from '../levels/find-changes.ts';

/** What the past of a series tells of its noise, on the scale of logarithms. */
export type HistoryNoise =
  | {
      readonly state: 'known';
      /** Variance of one value around its level. */
      readonly variance: number;
      /** Of neighbouring values; 0 where it may be chance. */
      readonly correlation: number;
      /** Values it rests on. */
      readonly count: number;
    }
  | { readonly state: 'unknown'; readonly reason: 'none' | 'one' | 'equal' | 'not-positive' };

/** Older values say little about the machine of today. */
const NEWEST = 60;

/** Spread of the newest values around the levels at which they lie, so that a change is not taken for noise. */
export function historyNoise(values: Float64Array): HistoryNoise {
  const usable = values.filter(Number.isFinite).slice(-NEWEST);
  if (usable.length < 2) return { state: 'unknown', reason: usable.length === 0 ? 'none' : 'one' };
  // A ratio of such values means nothing, and ratios are what comparisons are about.
  if (usable.some((value) => value <= 0)) return { state: 'unknown', reason: 'not-positive' };
  if (isConstant(usable)) return { state: 'unknown', reason: 'equal' };
  const logs = usable.map(Math.log);
  const { levels } = findChanges({ values: usable });
  const residuals = levels.flatMap(({ start, end }) => {
    const part = logs.subarray(start, end);
    const centre = mean(part);
    return [Array.from(part, (value) => value - centre)];
  });
  const freedom = usable.length - levels.length;
  const squares = residuals.flat().reduce((sum, value) => sum + value * value, 0);
  if (!(squares > 0) || freedom < 1) return { state: 'unknown', reason: 'equal' };
  return {
    state: 'known',
    variance: squares / freedom,
    correlation: correlationOf(residuals, squares),
    count: usable.length,
  };
}

/** Lag one, within levels. Subtracting the mean makes it too low by about 1 / n, which is given back. */
function correlationOf(residuals: readonly (readonly number[])[], squares: number): number {
  const count = residuals.reduce((sum, part) => sum + part.length, 0);
  let products = 0;
  for (const part of residuals)
    for (let index = 1; index < part.length; index++) products += (part[index] ?? 0) * (part[index - 1] ?? 0);
  const found = products / squares + 1 / count;
  // Independent values show up to about two standard errors by chance.
  return found > 2 / Math.sqrt(count) ? Math.min(0.9, found) : 0;
}
