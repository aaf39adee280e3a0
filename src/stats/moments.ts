import { type Numbers, requireFinite } from './requirements.ts';
import { mean, populationDeviation } from './summary.ts';

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
