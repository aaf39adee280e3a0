import { studentCdf, studentQuantile } from '../../../stats/distributions.ts';
import { correlationOf, inflation, memoryOf } from './correlation.ts';
import { fitLine, type Line, type LinePoints } from './fit-line.ts';
import type { Drift, Level } from './levels.ts';
import { selectMedian } from './select.ts';
import { meanOver, squaresOver, sumsOf } from './sums.ts';
import { usualWeight } from './usual-weight.ts';

/**
 * Whether a level is none, but goes on rising or falling: undefined unless that is certain. A line must explain it, not
 * chance, and clearly better than one step at the best place does. Noise around the line counts by how much neighbours
 * resemble each other; where they nearly follow each other the series walks, and a walk has no slope to speak of.
 */
export function findDrift(points: LinePoints, level: Pick<Level, 'value' | 'scale'>): Drift | undefined {
  const { places, values } = points;
  const count = values.length;
  if (count < FEWEST || isPlainlyLevel(values, level.scale)) return undefined;
  const usual = usualWeight(points.weights);
  const weights = points.weights.map((weight) => weight / usual);
  const line = fitLine({ places, values, weights });
  const correlation = correlationAround(line, weights);
  if (correlation >= WALK) return undefined;
  const fewer = inflation(correlation);
  const freedom = Math.max(2, (count - 2) / fewer);
  const error = Math.sqrt(line.variance * fewer);
  const p = 2 * studentCdf(-Math.abs(line.slope) / error, freedom);
  if (!(p < MAX_P) || !isBetterThanStep(line, weights, fewer)) return undefined;
  const reach = error * studentQuantile((1 + LEVEL) / 2, freedom);
  const [start, last] = [places[0] as number, places[count - 1] as number]; // count >= FEWEST
  return {
    start,
    end: last + 1,
    perPoint: shiftOf(line.slope, reach, baseOf(level.value, line.slope * (last - start))),
    p,
  };
}

/** Shorter stretches are told from steps too rarely. */
const FEWEST = 20;
const LEVEL = 0.95;
/** Of a slope where there is none. Every level of every series is looked at, and a note that is wrong costs trust. */
const MAX_P = 0.001;
/** Correlation of neighbours around the line from which on it is taken for a walk. */
const WALK = 0.7;
/** How many variances the line must explain more than a step, as between two levels. */
const CLEARLY = 3;
/** Medians of the outer thirds of level noise differ by 3 such units at one deviation. */
const PLAIN = 4;

/**
 * Whether the ends are so near to each other that no line could be certain: its rise would have to be some 15 deviations over
 * the root of the count, two thirds of that between the thirds. Most levels are done with here.
 */
function isPlainlyLevel(values: Float64Array, scale: number): boolean {
  const third = Math.ceil(values.length / 3);
  const rise = selectMedian(values.subarray(-third)) - selectMedian(values.subarray(0, third));
  return Math.abs(rise) < (PLAIN * scale) / Math.sqrt(values.length);
}

/** To take out a line makes points look twice as much less correlated as to take out a mean does: the second half is added here. */
function correlationAround({ residuals }: Line, weights: Float64Array): number {
  const memory = memoryOf(residuals, sumsOf(residuals, weights), { from: 0, to: residuals.length });
  return correlationOf([memory && { ...memory, products: memory.products.map((product) => product + 1) }]);
}

function isBetterThanStep({ values, residuals }: Line, weights: Float64Array, fewer: number): boolean {
  const [all, left] = [sumsOf(values, weights), sumsOf(residuals, weights)];
  const whole = { from: 0, to: values.length };
  const beside = squaresOver(left, whole);
  const margin = (CLEARLY * fewer * beside) / values.length;
  const mean = meanOver(all, whole);
  let gain = 0;
  for (let at = 1; at < values.length; at++) {
    const before = all.weight[at] as number; // at < length
    const after = (all.weight[values.length] as number) - before;
    const distance = (all.value[at] as number) - mean * before;
    gain = Math.max(gain, (distance ** 2 * (before + after)) / (before * after));
  }
  return squaresOver(all, whole) - beside > gain + margin;
}

/** What a part is a part of; 0 where the line crosses zero: a part of nearly nothing says nothing. */
const baseOf = (level: number, rise: number): number =>
  Math.abs(rise) / 2 < Math.abs(level) ? Math.abs(level) : 0;

function shiftOf(slope: number, reach: number, base: number): Drift['perPoint'] {
  const [low, high] = [slope - reach, slope + reach];
  const relative = { change: slope / base, low: low / base, high: high / base };
  return { difference: slope, low, high, level: LEVEL, ...(base > 0 ? { relative } : {}) };
}
