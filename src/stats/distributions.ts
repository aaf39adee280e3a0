import { NightmarkError } from '../platform/core/errors.ts';
import { erf, erfc, incompleteBeta, logBeta, type UnitPoint } from './special-functions.ts';

/** Probability that a standard normal value is at most `z`; exact also far below 0. */
export function normalCdf(z: number): number {
  return erfc(-z * Math.SQRT1_2) / 2;
}

/** The value below which a standard normal one falls with probability `p`. */
export function normalQuantile(p: number): number {
  return quantileBySymmetry(p, NORMAL);
}

/** Probability that a Student t value is at most `t`; `df` may be a fraction, or infinite for the normal. */
export function studentCdf(t: number, df: number): number {
  requireDegrees(df);
  if (Number.isNaN(t)) return Number.NaN;
  const tail = studentTail(Math.abs(t), df);
  return t < 0 ? tail : 1 - tail;
}

/** The value below which a Student t one falls with probability `p`. */
export function studentQuantile(p: number, df: number): number {
  requireDegrees(df);
  if (df > HILL_FROM) return df === Number.POSITIVE_INFINITY ? normalQuantile(p) : hillQuantile(p, df);
  const scale = logBeta(df / 2, 0.5) + 0.5 * Math.log(df);
  return quantileBySymmetry(p, {
    logDensity: (t) => -scale - ((df + 1) / 2) * logOnePlusSquare(t / Math.sqrt(df)),
    tail: (t) => studentTail(t, df),
    centre: (t) => studentCentre(t, df),
  });
}

/** A distribution that is symmetric around 0, for arguments above it. */
interface Symmetric {
  /** A logarithm, since the density itself vanishes long before x times the density does. */
  logDensity(x: number): number;
  /** Probability above x. */
  tail(x: number): number;
  /** Probability between 0 and x. */
  centre(x: number): number;
}

const NORMAL: Symmetric = {
  logDensity: (z) => (-z * z) / 2 - Math.log(2 * Math.PI) / 2,
  tail: (z) => erfc(z * Math.SQRT1_2) / 2,
  centre: (z) => erf(z * Math.SQRT1_2) / 2,
};

/** From here on Hill's normal deviate is exact to the last digits, while the continued fraction gets long. */
const HILL_FROM = 2e4;

function quantileBySymmetry(p: number, distribution: Symmetric): number {
  requireProbability(p);
  if (p === 0.5) return 0;
  const above = p > 0.5;
  const tail = above ? 1 - p : p;
  if (tail === 0) return above ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const distance = tail > 0.25 ? fromCentre(Math.abs(p - 0.5), distribution) : fromTail(tail, distribution);
  return above ? distance : -distance;
}

/**
 * Newton's method on ln(probability) over ln(x), where both functions are concave: after at most one step too far
 * it comes nearer from one side only, so it cannot diverge.
 */
function fromCentre(mass: number, { logDensity, centre }: Symmetric): number {
  let x = mass / Math.exp(logDensity(0));
  for (let round = 0; round < 100; round++) {
    const probability = centre(x);
    const step = (Math.log(mass / probability) * probability) / Math.exp(Math.log(x) + logDensity(x));
    x *= Math.exp(step);
    if (Math.abs(step) < 1e-15) break;
  }
  return x;
}

function fromTail(mass: number, { logDensity, tail }: Symmetric): number {
  let x = Math.max(0.6, Math.sqrt(Math.max(0, -2 * Math.log(mass) - 4)));
  for (let round = 0; round < 100; round++) {
    const probability = tail(x);
    const excess = Math.log(Math.min(probability / mass, Number.MAX_VALUE));
    const step = (excess * probability) / Math.exp(Math.log(x) + logDensity(x));
    const next = x * Math.exp(step);
    if (!Number.isFinite(next)) return Number.POSITIVE_INFINITY;
    x = next;
    if (Math.abs(step) < 1e-15) break;
  }
  return x;
}

/** Probability above t >= 0. */
function studentTail(t: number, df: number): number {
  if (df === Number.POSITIVE_INFINITY) return NORMAL.tail(t);
  if (df > HILL_FROM) return NORMAL.tail(hillDeviate(t, df));
  return incompleteBeta(df / 2, 0.5, unitPoint(t, df)) / 2;
}

function studentCentre(t: number, df: number): number {
  const { x, y, logX, logY } = unitPoint(t, df);
  return incompleteBeta(0.5, df / 2, { x: y, y: x, logX: logY, logY: logX }) / 2;
}

/** x = df / (df + t^2), at which the incomplete beta function gives the tail. */
function unitPoint(t: number, df: number): UnitPoint {
  const ratio = t / Math.sqrt(df);
  const square = ratio * ratio;
  const logX = -logOnePlusSquare(ratio);
  const y = square < 1 ? square / (1 + square) : 1 / (1 + 1 / square);
  // Beyond 1e154 the square is infinite although the tail is not 0: the logarithm still knows.
  const x = Math.max(1 / (1 + square), t < Number.POSITIVE_INFINITY ? Number.MIN_VALUE : 0);
  return { x, y, logX, logY: 2 * Math.log(ratio) + logX };
}

function logOnePlusSquare(ratio: number): number {
  return ratio < 1e8 ? Math.log1p(ratio * ratio) : 2 * Math.log(ratio);
}

/** The normal deviate of the same probability (G. W. Hill, Algorithm 395, 1970). */
function hillDeviate(t: number, df: number): number {
  const a = df - 0.5;
  const y = a * Math.log1p((t * t) / df);
  return Math.sqrt(y) * hillFactor(y, a);
}

/** The above turned round: `y` is found by repeating, since the factor is nearly 1. */
function hillQuantile(p: number, df: number): number {
  const z = normalQuantile(p);
  if (!Number.isFinite(z)) return z;
  const a = df - 0.5;
  let y = z * z;
  for (let round = 0; round < 10; round++) y = (z / hillFactor(y, a)) ** 2;
  return Math.sign(z) * Math.sqrt(df * Math.expm1(y / a));
}

/** The first two corrections of Hill's series, in powers of 1 / a^2. */
function hillFactor(y: number, a: number): number {
  const b = 48 * a * a;
  const second = (((4 * y + 33) * y + 240) * y + 855) / (10 * b);
  return 1 + (y + 3 - second) / b;
}

function requireProbability(p: number): void {
  if (p >= 0 && p <= 1) return;
  throw new NightmarkError('STATS_PROBABILITY', `${p} is not a probability.`, {
    hint: 'Give a number from 0 to 1.',
  });
}

function requireDegrees(df: number): void {
  if (df > 0) return;
  throw new NightmarkError(
    'STATS_DEGREES_OF_FREEDOM',
    `There is no Student distribution with ${df} degrees of freedom.`,
    {
      hint: 'Give a number above 0: with n values it is n - 1, so at least two values are needed.',
    },
  );
}

/** A range that holds the true value with probability `level`. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
}
