/** ln of Gamma(x) for x > 0; absolute error about 1e-15 times the size of the largest term. */
export function logGamma(x: number): number {
  // Stirling's series needs a large argument: Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)).
  let product = 1;
  let shifted = x;
  while (shifted < STIRLING_FROM) {
    product *= shifted;
    shifted += 1;
  }
  const large = (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_2PI + stirlingRest(shifted);
  return large - Math.log(product);
}

/** ln of Beta(a, b); large arguments do not cancel as three log-gammas would. */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < STIRLING_FROM) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const sum = large + small;
  const rests = stirlingRest(large) - stirlingRest(sum);
  const ratio = -(large - 0.5) * Math.log1p(small / large) + rests;
  if (small < STIRLING_FROM) return logGamma(small) + ratio - small * (Math.log(sum) - 1);
  return HALF_LOG_2PI - 0.5 * Math.log(small) + stirlingRest(small) + ratio + small * Math.log(small / sum);
}

/** A point of the unit interval with what rounding would lose near its ends: y = 1 - x and both logarithms. */
export interface UnitPoint {
  readonly x: number;
  readonly y: number;
  readonly logX: number;
  readonly logY: number;
}

/** Regularised incomplete beta function I_x(a, b), relatively exact also where it is tiny. */
export function incompleteBeta(a: number, b: number, point: UnitPoint): number {
  const { x, y, logX, logY } = point;
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  // The fraction converges fast up to about the mean of the distribution; beyond, take the other side.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, { x: y, y: x, logX: logY, logY: logX });
  return (Math.exp(a * logX + b * logY - logBeta(a, b)) / a) * betaFraction(a, b, x);
}

/** The complementary error function, relatively exact up to where it leaves the range of numbers (x = 27). */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  return x < 2 ? 1 - erf(x) : erfcOfLarge(x);
}

/** The error function, relatively exact also near 0. */
export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  if (x >= 2) return 1 - erfcOfLarge(x);
  // 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!: all terms positive, so nothing cancels.
  let term = x;
  let sum = x;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (2 * x * x) / odd;
    sum += term;
  }
  return (2 / SQRT_PI) * Math.exp(-x * x) * sum;
}

const STIRLING_FROM = 10;
const HALF_LOG_2PI = 0.9189385332046727;
const SQRT_PI = 1.7724538509055159;

/** B(2k) / (2k (2k - 1)) with Bernoulli's numbers; from 10 on the first one left out is below 1e-17. */
const STIRLING = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360_360,
  1 / 156,
  -3617 / 122_400,
  43_867 / 244_188,
] as const;

/** What Stirling's formula leaves of ln Gamma(x), x >= 10. */
function stirlingRest(x: number): number {
  const square = 1 / (x * x);
  let sum = 0;
  for (let index = STIRLING.length - 1; index >= 0; index--) sum = sum * square + (STIRLING[index] ?? 0);
  return sum / x;
}

/** The continued fraction of I_x (Abramowitz and Stegun 26.5.8), evaluated forwards by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / keepOff0(1 - ((a + b) * x) / (a + 1));
  let result = d;
  const limit = 500 + 20 * Math.sqrt(Math.max(a, b));
  for (let m = 1; m < limit; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keepOff0(1 + even * d);
    c = keepOff0(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keepOff0(1 + odd * d);
    c = keepOff0(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 3e-16) break;
  }
  return result;
}

/** Laplace's continued fraction, for x >= 2. */
function erfcOfLarge(x: number): number {
  if (x > 28) return 0;
  // Backwards from a depth that is enough at 2 (found by doubling it: no digit changes).
  let fraction = 0;
  for (let k = 100; k >= 1; k--) fraction = k / 2 / (x + fraction);
  // x * x rounds, and exp makes much of it: square the leading digits exactly, and multiply the rest.
  const head = Math.fround(x);
  return (Math.exp(-head * head) * Math.exp(-(x - head) * (x + head))) / (SQRT_PI * (x + fraction));
}

function keepOff0(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}
