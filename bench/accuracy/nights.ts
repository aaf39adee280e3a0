import { type NormalSource, normalSource } from './normal.ts';

/** Nights of one series of which nothing changes: values around 1. */
export interface Nights {
  readonly name: string;
  /** A stretch of `count` values with the standard deviation `noise`. */
  draw(count: number, noise: number): Float64Array;
}

/** Shapes of noise that benchmarks show, each of deviation 1 before it is scaled. */
export function nightsOf(random: () => number): readonly Nights[] {
  const source = normalSource(random);
  const independent = (name: string, next: () => number): Nights => ({
    name,
    draw: (count, noise) => Float64Array.from({ length: count }, () => 1 + noise * next()),
  });
  return [
    independent('normal', () => source.next()),
    independent('skewed (lognormal)', () => skewed(source)),
    independent('heavy tails (t of 3)', () => source.studentOfThree()),
    independent('1 % outliers of 8 deviations', () => source.next() + (random() < 0.01 ? 8 : 0)),
    { name: 'neighbours alike (0.5)', draw: (count, noise) => alike(source, count, noise) },
  ];
}

/** exp(0.5 z), moved to mean 0 and scaled to deviation 1: skewness 1.75. */
function skewed(source: NormalSource): number {
  const square = 0.25;
  const mean = Math.exp(square / 2);
  const deviation = mean * Math.sqrt(Math.expm1(square));
  return (Math.exp(0.5 * source.next()) - mean) / deviation;
}

function alike(source: NormalSource, count: number, noise: number): Float64Array {
  const rho = 0.5;
  let state = source.next();
  return Float64Array.from({ length: count }, () => {
    const value = 1 + noise * state;
    state = rho * state + Math.sqrt(1 - rho * rho) * source.next();
    return value;
  });
}
