import { bestValue, type Curve, finalValue, normalizedArea } from '../../charts/core/curves/curve.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { interquartileInterval, interquartileMean } from '../../stats/means.ts';
import { meanTest, welchTest } from '../../stats/t-tests.ts';

/** Scores of a curve: its end, its best value, and its mean height. Absent where there is none. */
export interface SeedScores {
  readonly final?: number;
  readonly best?: number;
  readonly area?: number;
}

/** Values of several seeds as one, with intervals where there are two or more. */
export interface ScoreOverSeeds {
  readonly seeds: number;
  readonly mean: number;
  /** Sample deviation (n - 1). */
  readonly deviation?: number;
  /** Student's 95 % interval of the mean. */
  readonly low?: number;
  readonly high?: number;
  readonly iqm: number;
  readonly iqmLow?: number;
  readonly iqmHigh?: number;
}

const LEVEL = 0.95;

export function seedScores(curve: Curve, better: 'lower' | 'higher'): SeedScores {
  const [final, best, area] = [
    orNone(() => finalValue(curve)),
    orNone(() => bestValue(curve, better)),
    orNone(() => normalizedArea(curve)),
  ];
  return {
    ...(final !== undefined && { final }),
    ...(best !== undefined && { best }),
    ...(area !== undefined && { area }),
  };
}

/** Undefined without a value. */
export function scoreOverSeeds(values: readonly number[]): ScoreOverSeeds | undefined {
  const [only] = values;
  if (only === undefined) return undefined;
  if (values.length === 1) return { seeds: 1, mean: only, iqm: only };
  const { estimate, low, high } = meanTest(values, { level: LEVEL });
  const squares = values.reduce((sum, value) => sum + (value - estimate) ** 2, 0);
  const { low: iqmLow, high: iqmHigh } = interquartileInterval(values, LEVEL);
  return {
    ...{ seeds: values.length, mean: estimate, low, high },
    deviation: Math.sqrt(squares / (values.length - 1)),
    ...{ iqm: interquartileMean(values), iqmLow, iqmHigh },
  };
}

/** Mean of the values minus that of the baseline's, by Welch's test; undefined below two seeds on a side. */
export function againstBaseline(
  values: readonly number[],
  baseline: readonly number[],
):
  | { readonly difference: number; readonly low: number; readonly high: number; readonly p: number }
  | undefined {
  if (values.length < 2 || baseline.length < 2) return undefined;
  const { estimate, low, high, p } = welchTest(values, baseline, { level: LEVEL });
  return { difference: estimate, low, high, p };
}

function orNone(value: () => number): number | undefined {
  try {
    return value();
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'CURVE_NO_VALUE') return undefined;
    throw error;
  }
}
