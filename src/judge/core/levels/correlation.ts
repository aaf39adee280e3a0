import { studentQuantile } from '../../../stats/distributions.ts';
import type { Level, SeriesLevels } from './levels.ts';
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
  const short = inflation(Math.min(MOST_CORRELATED, Math.max(one, SECOND * two + (1 - SECOND) * one)));
  const long = 1 + (2 * (sum + (levels * LAGS) / 2)) / points;
  const both = Math.max(short, (short + long) / 2);
  return Math.min(MOST_CORRELATED, (both - 1) / (both + 1));
}

/** How many points stand for one independent point. */
export const inflation = (correlation: number): number => (1 + correlation) / (1 - correlation);

const FEWEST = 6;
const MOST_CORRELATED = 0.8;
const LAGS = 8;
/** How much every second point counts against neighbours. */
const SECOND = 0.6;

/** Where the true level lies with a probability of 95 %. */
export interface LevelInterval {
  readonly low: number;
  readonly high: number;
}

/** The newest points that a level is computed from (see describe-levels.ts). */
const MOST_POINTS = 512;

/** Points that resemble their neighbours are fewer than they seem. Undefined: one point says nothing of its spread. */
export function levelInterval(
  { value, scale, count }: Pick<Level, 'value' | 'scale' | 'count'>,
  { correlation }: Pick<SeriesLevels['noise'], 'correlation'>,
): LevelInterval | undefined {
  const used = Math.min(MOST_POINTS, count);
  if (used < 2) return undefined;
  const fewer = inflation(correlation);
  const freedom = Math.max(1, used / fewer - 1);
  const reach = studentQuantile(0.975, freedom) * scale * Math.sqrt(fewer / used);
  return { low: value - reach, high: value + reach };
}
