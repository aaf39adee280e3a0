import { meanOver, type Part, type Sums, squaresOver } from './sums.ts';

/** How much the points of one level resemble those before them: sums of products by distance, in its own variances. */
export interface LevelMemory {
  readonly count: number;
  readonly products: Float64Array;
}

/** Undefined where a level has too few points or no noise. */
export function memoryOf(values: Float64Array, sums: Sums, part: Part): LevelMemory | undefined {
  const count = part.to - part.from;
  const variance = squaresOver(sums, part) / count;
  if (count < FEWEST || !(variance > 0)) return undefined;
  const mean = meanOver(sums, part);
  const distances = new Float64Array(count);
  for (let i = 0; i < count; i++) distances[i] = (values[part.from + i] as number) - mean; // within the part
  const products = new Float64Array(LAGS + 1);
  for (let lag = 1; lag <= LAGS; lag++) {
    let sum = 0;
    for (let i = lag; i < count; i++) sum += (distances[i] as number) * (distances[i - lag] as number);
    products[lag] = sum / variance;
  }
  return { count, products };
}

/**
 * Correlation of neighbouring points around their levels, 0 to MOST, as large as that of noise in which each point
 * remembers the one before and whose means spread as widely: from neighbours, from every second point, and from all
 * up to LAGS apart, since noise that comes and goes for dozens of points shows in the sum of these only.
 * Each level counts by its points and in its own unit of noise, so that a loud one does not decide.
 */
export function correlationOf(memories: Iterable<LevelMemory | undefined>): number {
  let [near, next, sum, points, levels] = [0, 0, 0, 0, 0];
  for (const memory of memories) {
    if (memory === undefined) continue;
    const { count, products } = memory;
    near += products[1] as number;
    next += products[2] as number;
    for (let lag = 1; lag <= LAGS; lag++) sum += (1 - lag / (LAGS + 1)) * (products[lag] as number); // Bartlett's weights
    points += count;
    levels++;
  }
  if (points === 0) return 0;
  // Taking out its mean makes each level look 1 / count less correlated than it is.
  const one = Math.max(0, (near + levels) / points);
  const two = Math.sqrt(Math.max(0, (next + levels) / points));
  const short = inflation(Math.min(MOST, Math.max(one, SECOND * two + (1 - SECOND) * one)));
  const long = 1 + (2 * (sum + (levels * LAGS) / 2)) / points;
  const both = Math.max(short, (short + long) / 2);
  return Math.min(MOST, (both - 1) / (both + 1));
}

/** How many points stand for one independent point. */
export const inflation = (correlation: number): number => (1 + correlation) / (1 - correlation);

const FEWEST = 6;
const MOST = 0.8;
const LAGS = 8;
/** How much every second point counts against neighbours. */
const SECOND = 0.6;
