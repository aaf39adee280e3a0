import { NightmarkError } from '../platform/core/errors.ts';
import { type Numbers, requireFinite, requireSome } from './requirements.ts';

/** What is shown of a set of values when the values themselves are too many. */
export interface Summary {
  readonly mean: number;
  readonly median: number;
  /** Population deviation, the divisor being n: what the old dashboards wrote. */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  readonly n: number;
}

/** All of a summary with one sort. */
export function summarize(values: Numbers): Summary {
  const sorted = sortedCopy(values);
  return {
    mean: mean(values),
    median: medianOfSorted(sorted),
    std: populationDeviation(values),
    min: at(sorted, 0),
    max: at(sorted, sorted.length - 1),
    n: values.length,
  };
}

/** The arithmetic mean. */
export function mean(values: Numbers): number {
  requireSome(values);
  const total = sum(values, 1);
  // A sum beyond 1.8e308 is infinite although its mean is not.
  return Number.isFinite(total) ? total / values.length : sum(values, values.length);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: Numbers): number {
  return medianOfSorted(sortedCopy(values));
}

/** Square root of the mean of squared differences from the mean (numpy's std with ddof 0). */
export function populationDeviation(values: Numbers): number {
  const deviation = deviationFrom(values, 1);
  if (Number.isFinite(deviation) && deviation > 0) return deviation;
  // Squares leave the range of numbers long before the deviation does: measure in units of the largest value.
  let scale = 0;
  for (const value of values) scale = Math.max(scale, Math.abs(value));
  return scale > 0 ? deviationFrom(values, scale) * scale : 0;
}

/** The p-quantile between neighbours by line: type 7 of Hyndman and Fan (1996), as numpy and R do by default. */
export function quantile(values: Numbers, p: number): number {
  return quantileOfSorted(sortedCopy(values), p);
}

/** The same of values that are sorted already. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  if (!(p >= 0 && p <= 1)) {
    throw new NightmarkError('STATS_QUANTILE', `There is no ${p}-quantile.`, {
      hint: 'Give a number from 0 to 1.',
    });
  }
  requireSome(sorted);
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = at(sorted, below);
  const high = at(sorted, Math.min(below + 1, sorted.length - 1));
  const part = position - below;
  const step = high - low;
  return Number.isFinite(step) ? low + part * step : low * (1 - part) + high * part;
}

/** The median of values that are sorted already, of which there must be one. */
export function medianOfSorted(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const high = at(sorted, middle);
  if (sorted.length % 2 === 1) return high;
  const low = at(sorted, middle - 1);
  const both = low + high;
  return Number.isFinite(both) ? both / 2 : low / 2 + high / 2;
}

function deviationFrom(values: Numbers, scale: number): number {
  const center = mean(values) / scale;
  const squares = new Float64Array(values.length);
  for (let index = 0; index < squares.length; index++) {
    squares[index] = ((values[index] as number) / scale - center) ** 2; // as long as the values
  }
  return Math.sqrt(sum(squares, 1) / values.length);
}

/** Neumaier's compensated sum: the error does not grow with the number of values. */
function sum(values: Numbers, divisor: number): number {
  let total = 0;
  let lost = 0;
  for (let index = 0; index < values.length; index++) {
    const term = (values[index] as number) / divisor; // index < length
    const next = total + term;
    lost += Math.abs(total) >= Math.abs(term) ? total - next + term : term - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + lost : total;
}

/** The values in ascending order; the given ones stay as they are. */
export function sortedCopy(values: Numbers): Float64Array {
  requireSome(values);
  return new Float64Array(values).sort();
}

function at(sorted: Float64Array, index: number): number {
  return sorted[index] ?? Number.NaN;
}

/** Number, centre and spread of a sample. */
export interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Sample deviation, the divisor being n - 1. */
  readonly deviation: number;
}

/** Needs two finite values. Equal values have exactly no spread: rounding must not invent one to divide by. */
export function momentsOf(values: Numbers): Moments {
  requireFinite(values, 2);
  const n = values.length;
  const first = values[0] ?? Number.NaN;
  if (isConstant(values)) return { n, mean: first, deviation: 0 };
  return { n, mean: mean(values), deviation: populationDeviation(values) * Math.sqrt(n / (n - 1)) };
}

/** Whether all values are the same. */
export function isConstant(values: Numbers): boolean {
  for (let index = 1; index < values.length; index++) if (values[index] !== values[0]) return false;
  return true;
}
