import { selectMedian } from './select.ts';

/** Points of a stretch: where they are, what they are, and how much each counts. */
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
export function fitLine(points: LinePoints): Line {
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
