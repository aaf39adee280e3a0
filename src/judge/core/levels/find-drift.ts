import { studentCdf, studentQuantile } from '../../../stats/distributions.ts';
import { correlationOf, inflation, memoryOf } from './correlation.ts';
import type { Drift, Level } from './levels.ts';
import { selectMedian } from './select.ts';
import { meanOver, squaresOver, sumsOf, usualWeight } from './sums.ts';

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

/** Shorter ranges are distinguished from steps too rarely. */
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

/** Points of a range: where they are, what they are, and how much each counts. */
export interface LinePoints {
  readonly places: Float64Array;
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** A line that outliers do not turn. */
export interface Line {
  readonly slope: number;
  /** Variance of the slope if points were independent. */
  readonly variance: number;
  /** Distances of the points from the line, those of outliers as far as they count. */
  readonly residuals: Float64Array;
  /** What the line says of each point, plus its residual. */
  readonly values: Float64Array;
}

/**
 * Least squares where a point counts by at most REACH deviations from the line (Huber, 1964). It starts from the medians of
 * the first and the last third, which no third of outliers moves. Where more than half of the
 * points lie exactly on that line, it is the line and the others are outliers.
 */
function fitLine(points: LinePoints): Line {
  const { places, values, weights } = points;
  const roots = weights.map(Math.sqrt);
  let line = startOf(points);
  const pulled = values.slice();
  const distances = new Float64Array(values.length);
  let [spread, inside] = [1, values.length];
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < values.length; i++)
      distances[i] = Math.abs((values[i] as number) - heightAt(line, places[i])) * (roots[i] as number); // as long
    const reach = REACH * MAD_FACTOR * selectMedian(distances);
    inside = 0;
    for (let i = 0; i < values.length; i++) {
      const [height, most] = [heightAt(line, places[i]), reach / (roots[i] as number)]; // as long as the values
      pulled[i] = Math.max(height - most, Math.min(height + most, values[i] as number));
      if (pulled[i] === values[i]) inside++;
    }
    if (reach === 0) break;
    ({ line, spread } = leastSquares({ places, values: pulled, weights }));
  }
  const residuals = pulled.map((value, i) => value - heightAt(line, places[i]));
  let squares = 0;
  for (let i = 0; i < residuals.length; i++)
    squares += (residuals[i] as number) ** 2 * (weights[i] as number);
  const share = Math.max(0.5, inside / values.length);
  const variance = squares / share ** 2 / (values.length - 2) / spread;
  return { slope: line.slope, variance, residuals, values: pulled };
}

const REACH = 2;
const ROUNDS = 4;
/** 1 / normalQuantile(3/4): the median distance of normal values times this is their deviation. */
const MAD_FACTOR = 1.482602218505602;

interface Straight {
  readonly slope: number;
  /** A point that it goes through. */
  readonly place: number;
  readonly value: number;
}

const heightAt = ({ slope, place, value }: Straight, at: number | undefined): number =>
  value + slope * ((at ?? 0) - place);

function startOf({ places, values }: LinePoints): Straight {
  const third = Math.ceil(values.length / 3);
  const [early, late] = [selectMedian(places.subarray(0, third)), selectMedian(places.subarray(-third))];
  const [first, last] = [selectMedian(values.subarray(0, third)), selectMedian(values.subarray(-third))];
  return { slope: (last - first) / (late - early), place: (early + late) / 2, value: (first + last) / 2 };
}

function leastSquares({ places, values, weights }: LinePoints): { line: Straight; spread: number } {
  let [weight, place, value] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const w = weights[i] as number; // all three are as long
    weight += w;
    place += w * (places[i] as number);
    value += w * (values[i] as number);
  }
  place /= weight;
  value /= weight;
  let [spread, together] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const distance = (places[i] as number) - place;
    spread += (weights[i] as number) * distance ** 2;
    together += (weights[i] as number) * distance * ((values[i] as number) - value);
  }
  return { line: { slope: together / spread, place, value }, spread };
}
