import { correlationOf, inflation, memoryOf } from './correlation.ts';
import { selectMedian } from './select.ts';
import { runningMedian } from './standardise.ts';
import { sumsOf } from './sums.ts';

/** A cycle that a series goes through whatever its level: weekdays, months, a machine that is busy in turns. */
export interface Season {
  /** In points, gaps counted. */
  readonly period: number;
  /** Half of the way from its lowest point to its highest. */
  readonly amplitude: number;
  /** Its shape: the sum of these waves, the first as long as the period, the next half as long, and so on. */
  readonly waves: readonly Wave[];
}

interface Wave {
  readonly cosine: number;
  readonly sine: number;
}

/** How far a season lifts a point with this index above its level. */
export function seasonAt({ period, waves }: Pick<Season, 'period' | 'waves'>, index: number): number {
  const angle = (2 * Math.PI * index) / period;
  return waves.reduce(
    (sum, { cosine, sine }, k) => sum + cosine * Math.cos((k + 1) * angle) + sine * Math.sin((k + 1) * angle),
    0,
  );
}

/** Usable points: where they are, gaps counted, and what they are. */
export interface SeasonPoints {
  readonly places: Float64Array;
  readonly values: Float64Array;
}

/**
 * The season of a series, if it certainly has one. A peak of the spectrum gives its period; the shape is fitted to what is left of
 * the values when the median over one period around each is taken out, which follows levels and drifts. Noise has peaks, too, and
 * so have steps. But their waves do not go on: the shape of either half of the points must foretell the other half.
 */
export function findSeason(points: SeasonPoints): Season | undefined {
  const count = points.values.length;
  if (count < FEWEST) return undefined;
  const period = peakOf(points);
  if (period === undefined) return undefined;
  const residuals = withoutLevel(points, period);
  const half = count >> 1;
  const halves: readonly Range[] = [
    [0, half],
    [half, count],
  ];
  const shapes = halves.map((range) => fitWaves(points.places, residuals, { period, range }));
  const waves = fitWaves(points.places, residuals, { period, range: [0, count] });
  const least =
    LEAST_GAIN *
    inflationOf(residuals.map((value, i) => value - seasonAt({ period, waves }, points.places[i] as number)));
  const isForetold = halves.every((range, i) => {
    const other = shapes[1 - i] as readonly Wave[]; // one of each half
    return gainOf(points.places, residuals, { period, range, waves: other }) > least;
  });
  return isForetold ? { period, waves, amplitude: amplitudeOf({ period, waves }) } : undefined;
}

type Range = readonly [from: number, to: number];

const FEWEST = 40;
/** Shorter cycles than this are noise; of longer ones fewer than so many would be seen. */
const SHORTEST = 4;
const CYCLES = 5;
/** How far a peak must stand out of the spectrum around it; that of noise does so once in 4,000 spectra of 70 bins. */
const PEAK = 12;
/** Bins of the spectrum on either side that a peak is compared with, and those next to it that belong to it. */
const AROUND = 10;
const BESIDE = 2;
/** Waves of a shape; a week has three. */
const WAVES = 3;
/** Deviations by which a point counts at most. */
const REACH = 2.5;
/** Variances that the shape of one half must explain of the other, beyond what chance does. */
const LEAST_GAIN = 8;

/** How many points stand for one independent point. */
function inflationOf(left: Float64Array): number {
  const sums = sumsOf(left, new Float64Array(left.length).fill(1));
  return inflation(correlationOf([memoryOf(left, sums, { from: 0, to: left.length })]));
}

/** Of the highest peak that stands out. Differences of neighbours leave nothing of a step but one of them; white noise becomes flat again. */
function peakOf({ places, values }: SeasonPoints): number | undefined {
  const span = (places.at(-1) as number) - (places[0] as number) + 1; // FEWEST at least
  const differences = new Float64Array(span);
  for (let i = 1; i < values.length; i++) {
    const isNeighbour = (places[i] as number) === (places[i - 1] as number) + 1;
    const difference = (values[i] as number) - (values[i - 1] as number);
    if (isNeighbour) differences[(places[i] as number) - (places[0] as number)] = difference;
  }
  clip(differences);
  const last = Math.floor(span / SHORTEST);
  const power = new Float64Array(last + 1);
  for (let k = 1; k <= last; k++) power[k] = powerAt(differences, k / span);
  const around = new Float64Array(2 * AROUND);
  let [best, highest] = [0, PEAK];
  for (let k = CYCLES; k <= last; k++) {
    const below = power.subarray(Math.max(1, k - AROUND), Math.max(1, k - BESIDE));
    const above = power.subarray(k + BESIDE + 1, k + AROUND + 1);
    around.set(below);
    around.set(above, below.length);
    const typical = selectMedian(around.subarray(0, below.length + above.length)) / Math.LN2;
    const height = (power[k] as number) / typical;
    if (height > highest) [best, highest] = [k, height];
  }
  return best === 0 ? undefined : refinePeriod(differences, best / span);
}

/** Between bins, to a tenth of a bin: a wave must not be out of step at the end. */
function refinePeriod(differences: Float64Array, frequency: number): number {
  const step = 1 / (10 * differences.length);
  let [best, most] = [frequency, 0];
  for (let i = -8; i <= 8; i++) {
    const power = powerAt(differences, frequency + i * step);
    if (power > most) [best, most] = [frequency + i * step, power];
  }
  const period = 1 / best;
  const whole = Math.round(period);
  return Math.abs(1 / whole - best) < 2 * step ? whole : period;
}

/** Of the differences at a frequency, as a part of what differences of white noise have there. */
function powerAt(differences: Float64Array, frequency: number): number {
  const [turnCosine, turnSine] = [Math.cos(2 * Math.PI * frequency), Math.sin(2 * Math.PI * frequency)];
  let [cosine, sine, real, imaginary] = [1, 0, 0, 0];
  for (let i = 0; i < differences.length; i++) {
    const difference = differences[i] as number; // i < length
    real += difference * cosine;
    imaginary += difference * sine;
    [cosine, sine] = [cosine * turnCosine - sine * turnSine, cosine * turnSine + sine * turnCosine];
  }
  return (real ** 2 + imaginary ** 2) / (2 - 2 * turnCosine);
}

/** Pulls in what lies more than REACH deviations from 0, and gives the deviation. */
function clip(values: Float64Array): number {
  const deviation = selectMedian(values.map(Math.abs)) * MAD_FACTOR;
  const most = REACH * deviation;
  for (let i = 0; i < values.length; i++) values[i] = Math.max(-most, Math.min(most, values[i] as number)); // i < length
  return deviation;
}

/** 1 / normalQuantile(3/4): the median distance of normal values times this is their deviation. */
const MAD_FACTOR = 1.482602218505602;

/** Values without the median over one period around each, outliers pulled in. */
function withoutLevel({ values }: SeasonPoints, period: number): Float64Array {
  const levels = runningMedian(values, 2 * Math.floor(period / 2) + 1);
  const residuals = values.map((value, i) => value - (levels[i] as number)); // as long as the values
  clip(residuals);
  return residuals;
}

/** By least squares, each wave alone: over several periods they hardly overlap. */
function fitWaves(
  places: Float64Array,
  residuals: Float64Array,
  { period, range: [from, to] }: { readonly period: number; readonly range: Range },
): readonly Wave[] {
  const count = Math.min(WAVES, Math.floor((period - 1) / 2));
  return Array.from({ length: count }, (_, k) => {
    let [cosine, sine] = [0, 0];
    for (let i = from; i < to; i++) {
      const angle = (2 * Math.PI * (k + 1) * (places[i] as number)) / period; // i < length
      cosine += (residuals[i] as number) * Math.cos(angle);
      sine += (residuals[i] as number) * Math.sin(angle);
    }
    return { cosine: (2 * cosine) / (to - from), sine: (2 * sine) / (to - from) };
  });
}

interface Foretold {
  readonly period: number;
  readonly range: Range;
  readonly waves: readonly Wave[];
}

/** Squares that waves explain of a range, in variances of what they leave. */
function gainOf(
  places: Float64Array,
  residuals: Float64Array,
  { period, waves, range: [from, to] }: Foretold,
): number {
  let [before, after] = [0, 0];
  for (let i = from; i < to; i++) {
    const value = residuals[i] as number; // i < length
    before += value ** 2;
    after += (value - seasonAt({ period, waves }, places[i] as number)) ** 2;
  }
  return (before - after) / (after / (to - from));
}

function amplitudeOf(season: Pick<Season, 'period' | 'waves'>): number {
  const heights = Array.from({ length: 48 }, (_, i) => seasonAt(season, (i * season.period) / 48));
  return (Math.max(...heights) - Math.min(...heights)) / 2;
}
