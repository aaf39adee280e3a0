import { NightmarkError } from '../../../platform/core/errors.ts';
import { percentileInterval } from '../../../stats/bootstrap.ts';
import { interquartileMean, middleMean } from '../../../stats/means.ts';
import { seededRandom } from '../../../stats/random.ts';
import type { Curve } from './curve.ts';

/** Several seeds as one curve with its spread. Columns are as long as `x`; NaN where no seed has a value. */
export interface CurveSummary {
  readonly x: Float64Array;
  readonly mean: Float64Array;
  /** Sample deviation (n - 1); NaN below two seeds. */
  readonly deviation: Float64Array;
  readonly iqm: Float64Array;
  /** Interval of the interquartile mean, by resampling seeds; NaN below two seeds. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** How many seeds have a value there. */
  readonly seeds: Int32Array;
  readonly level: number;
}

export interface SummaryOptions {
  readonly points?: number;
  /** Places to take in the place of evenly spaced ones: those at which all seeds report. */
  readonly grid?: Float64Array;
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
}

/**
 * Mean, deviation and interquartile mean of seeds at each place of a common grid. Whole curves are resampled, as the
 * values of one seed hang together (Agarwal et al., 2021); the same seed gives the same band.
 */
export function summarizeCurves(curves: readonly Curve[], options: SummaryOptions = {}): CurveSummary {
  const { points = 200, grid, level = 0.95, resamples = 999, seed = 1 } = options;
  const { x, rows } = grid
    ? { x: grid, rows: curves.map((curve) => interpolate(curve, grid)) }
    : alignCurves(curves, points);
  const empty = () => new Float64Array(x.length).fill(Number.NaN);
  const columns = { mean: empty(), deviation: empty(), iqm: empty(), low: empty(), high: empty() };
  const seeds = new Int32Array(x.length);
  const draws = drawSeeds(rows.length, resamples, seed);
  const drawn = new Float64Array(rows.length);
  const distribution = new Float64Array(resamples);
  for (let at = 0; at < x.length; at++) {
    const values = Float64Array.from(rows, (row) => row[at] as number).filter(Number.isFinite); // as long as x
    seeds[at] = values.length;
    if (values.length === 0) continue;
    columns.mean[at] = meanOf(values);
    columns.iqm[at] = interquartileMean(values);
    if (values.length < 2) continue;
    columns.deviation[at] = deviationOf(values);
    for (let round = 0; round < resamples; round++) {
      for (let i = 0; i < values.length; i++) {
        drawn[i] = values[(draws[round * rows.length + i] as number) % values.length] as number; // within both
      }
      distribution[round] = middleMean(drawn.subarray(0, values.length));
    }
    const { low, high } = percentileInterval(distribution, level);
    columns.low[at] = low;
    columns.high[at] = high;
  }
  return { x, ...columns, seeds, level };
}

/** Which seeds each resample holds, the same ones at every place. */
function drawSeeds(count: number, resamples: number, seed: number): Int32Array {
  const random = seededRandom(seed);
  return Int32Array.from({ length: count * resamples }, () => Math.floor(random() * count));
}

function meanOf(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}

function deviationOf(values: Float64Array): number {
  const center = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - center) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Curves of several seeds on one axis: a row for each curve, a column for each place of the grid. */
export interface AlignedCurves {
  readonly x: Float64Array;
  readonly rows: readonly Float64Array[];
}

/**
 * Brings curves onto a grid of `points` places, evenly spaced over the range that all of them cover: beyond it a mean
 * would be that of the seeds that happened to run longer. Between two points of a curve the line counts; beside a gap
 * there is a gap.
 */
export function alignCurves(curves: readonly Curve[], points = 200): AlignedCurves {
  const [low, high] = commonRange(curves);
  const count = low === high ? 1 : Math.max(2, points);
  const x = new Float64Array(count);
  for (let at = 0; at < count; at++)
    x[at] = at === count - 1 ? high : low + ((high - low) * at) / (count - 1);
  return { x, rows: curves.map((curve) => interpolate(curve, x)) };
}

/** The values of a curve at ascending places. */
function interpolate({ x, y }: Curve, places: Float64Array): Float64Array {
  const values = new Float64Array(places.length).fill(Number.NaN);
  let right = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number; // at < length
    while (right < x.length && (x[right] as number) < place) right++;
    if (right === x.length || (right === 0 && x[0] !== place)) continue;
    const [x1, y1] = [x[right] as number, y[right] as number];
    if (x1 === place) {
      values[at] = y1;
      continue;
    }
    const [x0, y0] = [x[right - 1] as number, y[right - 1] as number]; // right > 0 here
    values[at] = y0 + ((y1 - y0) * (place - x0)) / (x1 - x0);
  }
  return values;
}

function commonRange(curves: readonly Curve[]): readonly [number, number] {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { x } of curves) {
    low = Math.max(low, x[0] ?? Number.NaN);
    high = Math.min(high, x.at(-1) ?? Number.NaN);
  }
  if (curves.length > 0 && low <= high) return [low, high];
  throw new NightmarkError('CURVE_NO_COMMON_RANGE', `${curves.length} curves have no range in common.`, {
    hint: 'Curves can be averaged where all of them have points: look for one that is empty or starts late.',
  });
}
