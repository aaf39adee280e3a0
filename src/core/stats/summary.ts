import { NightmarkError } from '../errors.ts';

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
export function summarize(values: readonly number[]): Summary {
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
export function mean(values: readonly number[]): number {
  requireSome(values);
  const total = sum(values, 1);
  // A sum beyond 1.8e308 is infinite although its mean is not.
  return Number.isFinite(total) ? total / values.length : sum(values, values.length);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return medianOfSorted(sortedCopy(values));
}

/** Square root of the mean of squared differences from the mean (numpy's std with ddof 0). */
export function populationDeviation(values: readonly number[]): number {
  const deviation = deviationFrom(values, 1);
  if (Number.isFinite(deviation) && deviation > 0) return deviation;
  // Squares leave the range of numbers long before the deviation does: measure in units of the largest value.
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return scale > 0 ? deviationFrom(values, scale) * scale : 0;
}

/** The p-quantile between neighbours by line: type 7 of Hyndman and Fan (1996), as numpy and R do by default. */
export function quantile(values: readonly number[], p: number): number {
  if (!(p >= 0 && p <= 1)) {
    throw new NightmarkError('STATS_QUANTILE', `There is no ${p}-quantile.`, {
      hint: 'Give a number from 0 to 1.',
    });
  }
  const sorted = sortedCopy(values);
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = at(sorted, below);
  const high = at(sorted, Math.min(below + 1, sorted.length - 1));
  const part = position - below;
  const step = high - low;
  return Number.isFinite(step) ? low + part * step : low * (1 - part) + high * part;
}

function medianOfSorted(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const high = at(sorted, middle);
  if (sorted.length % 2 === 1) return high;
  const low = at(sorted, middle - 1);
  const both = low + high;
  return Number.isFinite(both) ? both / 2 : low / 2 + high / 2;
}

function deviationFrom(values: readonly number[], scale: number): number {
  const center = mean(values) / scale;
  const squares = values.map((value) => (value / scale - center) ** 2);
  return Math.sqrt(sum(squares, 1) / values.length);
}

/** Neumaier's compensated sum: the error does not grow with the number of values. */
function sum(values: readonly number[], divisor: number): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const term = value / divisor;
    const next = total + term;
    lost += Math.abs(total) >= Math.abs(term) ? total - next + term : term - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + lost : total;
}

function sortedCopy(values: readonly number[]): Float64Array {
  requireSome(values);
  return Float64Array.from(values).sort();
}

function at(sorted: Float64Array, index: number): number {
  return sorted[index] ?? Number.NaN;
}

function requireSome(values: readonly number[]): void {
  if (values.length > 0) return;
  throw new NightmarkError('STATS_NO_VALUES', 'There is nothing to summarize: 0 values.', {
    hint: 'Look into the log of the run for why it measured nothing.',
  });
}
