import { medianAbsoluteDeviation } from '../../../stats/robust-estimates.ts';
import { mean, median } from '../../../stats/summary.ts';

/** How noisy series are and how heavy their tails, before a single value is seen. */
export interface NoisePrior {
  /** Of each of SCALES and of each of TAILS; their products are the weights of both together. */
  readonly scaleWeights: readonly number[];
  readonly tailWeights: readonly number[];
}

/** A kind of distribution of values: a mixture of Student's, such as of usual values and of spikes. */
export type Tail = readonly TailPart[];

export interface TailPart {
  /** Share of the values. */
  readonly share: number;
  /** Scale, in units of that of usual values. */
  readonly reach: number;
  /** Degrees of freedom, even. */
  readonly freedom: number;
}

/**
 * Real series have moderately heavy tails, or nearly normal values without spikes, with one in a hundred, or with two
 * speeds. A rare spike may lie anywhere; those that come often show where they lie. More kinds predict no better.
 */
export const TAILS: readonly Tail[] = [
  [{ share: 1, reach: 1, freedom: 4 }],
  [{ share: 1, reach: 1, freedom: 16 }],
  [
    { share: 0.99, reach: 1, freedom: 16 },
    { share: 0.005, reach: 8, freedom: 2 },
    { share: 0.005, reach: 64, freedom: 2 },
  ],
  ...[8, 24, 72].map((reach) => [
    { share: 0.7, reach: 1, freedom: 16 },
    { share: 0.3, reach, freedom: 4 },
  ]),
];

const PER_DECADE = 5;
const [LOWEST, HIGHEST] = [1e-7, 2];

/** Scales of one usual value, as a fraction of the level, evenly spaced as logarithms. */
export const SCALES = Float64Array.from(
  { length: Math.ceil(Math.log10(HIGHEST / LOWEST) * PER_DECADE) + 1 },
  (_, place) => LOWEST * 10 ** (place / PER_DECADE),
);

/**
 * Noise of public benchmark histories: half of them below 2 %, few much below, more of them far above. Deviations
 * are those of logarithms; `steady` is the share of series that do not vary at all, such as counters.
 */
const SHAPE = { typical: 0.019, below: 0.4, above: 0.8, steady: 0.03 } as const;

/** In the order of TAILS, as fitted to one half of these histories. */
const TAIL_WEIGHTS = [0.37, 0.51, 0.09, 0.01, 0.01, 0.01];

/** Of a series of which nothing is known. */
export const NOISE_PRIOR: NoisePrior = {
  scaleWeights: normalised(
    Array.from(SCALES, (scale) => {
      const { typical, below, above, steady } = SHAPE;
      const distance = Math.log(scale / typical) / (scale < typical ? below : above);
      const peak = Math.LN10 / PER_DECADE / (((below + above) / 2) * Math.sqrt(2 * Math.PI));
      return (1 - steady) * peak * Math.exp((-distance * distance) / 2) + steady / SCALES.length;
    }),
  ),
  tailWeights: normalised(TAIL_WEIGHTS),
};

/** Weights that sum up to 1. */
export function normalised(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Variances, in units of that of one value, when each value resembles the one before it. */
export interface MeanVariances {
  /** Of the mean of the history. */
  readonly history: number;
  /** Of the difference between the mean of the newest values and that of the history right before them. */
  readonly difference: number;
}

/** For a process whose correlation falls by the same factor with each step (AR(1)). */
export function meanVariances(history: number, newest: number, correlation: number): MeanVariances {
  const before = varianceOfMean(history, correlation);
  const after = varianceOfMean(newest, correlation);
  return { history: before, difference: before + after - 2 * covariance(history, newest, correlation) };
}

/** (1 + 2 sum of (1 - k/n) rho^k) / n. */
function varianceOfMean(count: number, rho: number): number {
  if (rho === 0) return 1 / count;
  const power = rho ** count;
  const sum = rho / (1 - rho) - (rho * (1 - power)) / (count * (1 - rho) ** 2);
  return (1 + 2 * sum) / count;
}

/** Mean of rho^(i + j + 1) over both sides: two geometric sums. */
function covariance(history: number, newest: number, rho: number): number {
  if (rho === 0) return 0;
  const sum = (count: number) => (1 - rho ** count) / (1 - rho);
  return (rho * sum(history) * sum(newest)) / (history * newest);
}

/**
 * Correlation of neighbours, drawn towards what nights commonly show: with few values it is unknown.
 * Never negative: a series that alternates is not easier to predict than one that does not.
 */
export function neighbourCorrelation(residuals: Float64Array): number {
  let products = 0;
  let squares = 0;
  for (let index = 0; index < residuals.length; index++) {
    const residual = residuals[index] ?? 0;
    squares += residual * residual;
    if (index > 0) products += residual * (residuals[index - 1] ?? 0);
  }
  const n = residuals.length;
  // Residuals around their own mean lean to the negative, by about 1 / n.
  const seen = squares > 0 ? products / squares + 1 / n : 0;
  const drawn = (n * seen + COMMON_WEIGHT * COMMON) / (n + COMMON_WEIGHT);
  return Math.min(0.9, Math.max(0, drawn));
}

const COMMON = 0.25;
const COMMON_WEIGHT = 12;

/**
 * Centre of values of one level: the mean of those near the median, the others drawn in to 2.5 deviations. Nearly as
 * good as the mean for normal values, and an outlier moves it by no more than a usual value does.
 */
export function levelCentre(values: Float64Array): number {
  // Of four values or fewer none can be called the outlier.
  if (values.length < 5) return mean(values);
  const middle = median(values);
  const reach = 2.5 * medianAbsoluteDeviation(values);
  return mean(values.map((value) => Math.min(middle + reach, Math.max(middle - reach, value))));
}

/** Centre of new values: of three or more the median, since one of them may be an outlier. */
export function newCentre(values: Float64Array): number {
  return values.length < 3 ? mean(values) : median(values);
}

/**
 * Smallest step that the values can show, from the decimals that they are written with: 12 may mean 11.6 or 12.4.
 * Values that a computer prints in full have one that does not matter.
 */
export function resolutionOf(values: Float64Array): number {
  let decimals = 0;
  for (const value of values) {
    decimals = Math.max(decimals, decimalsOf(value));
    // Finer than a number of this size can be: more values would not make it matter, and text costs time.
    if (10 ** -decimals <= Math.abs(value) * Number.EPSILON) break;
  }
  return 10 ** -decimals;
}

function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

/** How values are measured for a judgement: so that 0.01 is one hundredth of the level. */
export interface Measure {
  /** Whether it is that of ratios. */
  readonly isRatio: boolean;
  from(value: number): number;
  to(measured: number): number;
  /** A small step of values, measured at the level. */
  stepOf(step: number): number;
}

/** Logarithms where all values are above 0, since noise and slowdowns act by a factor; else parts of the level. */
export function measureFor(history: Float64Array, newest: Float64Array): Measure {
  const isPositive = history.every((value) => value > 0) && newest.every((value) => value > 0);
  const unit = typicalSize(history, newest);
  if (isPositive)
    return {
      isRatio: true,
      from: Math.log,
      to: (log) => Math.exp(Math.min(log, 709)),
      stepOf: (step) => step / unit,
    };
  return {
    isRatio: false,
    from: (value) => value / unit,
    to: (part) => part * unit,
    stepOf: (step) => step / unit,
  };
}

function typicalSize(history: Float64Array, newest: Float64Array): number {
  const usual = median(history.map(Math.abs));
  if (usual > 0) return usual;
  // Mostly zeros: what is there besides them is the only size that is known.
  const largest = [...history, ...newest].reduce((one, other) => Math.max(one, Math.abs(other)), 0);
  return largest > 0 ? largest : 1;
}
