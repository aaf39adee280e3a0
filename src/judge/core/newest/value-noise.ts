import { medianAbsoluteDeviation } from '../../../stats/robust-estimates.ts';
import { mean, median } from '../../../stats/summary.ts';

/** How noisy series are and how heavy their tails, before a single value is seen. */
export interface NoisePrior {
  /** Scales of one value, as a fraction of the level, evenly spaced as logarithms. */
  readonly scales: Float64Array;
  readonly logWeights: Float64Array;
  readonly tails: readonly Tail[];
}

export interface Tail {
  /** Degrees of freedom of Student's distribution, even. */
  readonly freedom: number;
  readonly logWeight: number;
  /** Logarithm of the density at 0. */
  readonly logPeak: number;
}

/**
 * Noise of public benchmark histories: half of them below 2 %, few much below, more of them far above. Deviations
 * are those of logarithms; `steady` is the share of series that do not vary at all, such as counters.
 */
const SHAPE = { typical: 0.02, below: 0.4, above: 0.8, steady: 0.03 } as const;

/** With three or four values their tails are unknown: mostly moderate, sometimes wild. */
const TAILS = [
  { freedom: 2, weight: 0.07 },
  { freedom: 4, weight: 0.31 },
  { freedom: 8, weight: 0.32 },
  { freedom: 16, weight: 0.3 },
] as const;

const PER_DECADE = 5;
const [LOWEST, HIGHEST] = [1e-7, 2];

export const NOISE_PRIOR: NoisePrior = makePrior();

function makePrior(): NoisePrior {
  const count = Math.ceil(Math.log10(HIGHEST / LOWEST) * PER_DECADE) + 1;
  const scales = Float64Array.from({ length: count }, (_, place) => LOWEST * 10 ** (place / PER_DECADE));
  const step = Math.LN10 / PER_DECADE;
  const { typical, below, above, steady } = SHAPE;
  const peak = step / (((below + above) / 2) * Math.sqrt(2 * Math.PI));
  const logWeights = scales.map((scale) => {
    const distance = Math.log(scale / typical) / (scale < typical ? below : above);
    return Math.log((1 - steady) * peak * Math.exp((-distance * distance) / 2) + steady / count);
  });
  const tails = TAILS.map(({ freedom, weight }) => ({
    freedom,
    logWeight: Math.log(weight),
    logPeak: Math.log(studentPeak(freedom)),
  }));
  return { scales, logWeights, tails };
}

/** For even degrees: 1 / (2 sqrt 2) for two; two more multiply it by (v + 1) / v and sqrt(v / (v + 2)). */
function studentPeak(freedom: number): number {
  let density = 1 / (2 * Math.SQRT2);
  for (let v = 2; v < freedom; v += 2) density *= ((v + 1) / v) * Math.sqrt(v / (v + 2));
  return density;
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
    return { from: Math.log, to: (log) => Math.exp(Math.min(log, 709)), stepOf: (step) => step / unit };
  return { from: (value) => value / unit, to: (part) => part * unit, stepOf: (step) => step / unit };
}

function typicalSize(history: Float64Array, newest: Float64Array): number {
  const usual = median(history.map(Math.abs));
  if (usual > 0) return usual;
  // Mostly zeros: what is there besides them is the only size that is known.
  const largest = [...history, ...newest].reduce((one, other) => Math.max(one, Math.abs(other)), 0);
  return largest > 0 ? largest : 1;
}
