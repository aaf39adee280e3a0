import { studentQuantile } from '../../../stats/distributions.ts';

/** What a line over seeds and the band around it are. */
export type BandKind = 'interval' | 'deviation' | 'population' | 'iqm';

/** Columns over seeds, null where there is nothing. */
export interface BandColumns {
  readonly mean: readonly (number | null)[];
  /** Sample deviation (n - 1). */
  readonly deviation: readonly (number | null)[];
  readonly iqm: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly count: readonly number[];
  /** Only the mean and its band are known, not the seeds. */
  readonly hasStoredBand: boolean;
}

export interface CurveBand {
  readonly centre: Float64Array;
  /** NaN where there are too few seeds. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * The mean with Student's 95 % interval, with one sample or population deviation (ddof 1 or 0) to each side, or the
 * interquartile mean with its bootstrap interval.
 */
export function curveBand(columns: BandColumns, kind: BandKind): CurveBand {
  if (kind === 'iqm' || columns.hasStoredBand) {
    const [centre, low, high] = [columns.iqm, columns.low, columns.high].map(numbersOf);
    return { centre, low, high } as CurveBand; // as many as were put in
  }
  const centre = numbersOf(columns.mean);
  const half = Float64Array.from(columns.deviation, (deviation, at) =>
    deviation === null ? Number.NaN : deviation * factorOf(kind, columns.count[at] ?? 0),
  );
  return {
    centre,
    low: centre.map((value, at) => value - (half[at] ?? Number.NaN)),
    high: centre.map((value, at) => value + (half[at] ?? Number.NaN)),
  };
}

function factorOf(kind: BandKind, seeds: number): number {
  if (seeds < 2) return Number.NaN;
  if (kind === 'population') return Math.sqrt((seeds - 1) / seeds);
  return kind === 'deviation' ? 1 : student(seeds) / Math.sqrt(seeds);
}

/** The same for every place of every curve with as many seeds. */
const quantiles = new Map<number, number>();

function student(seeds: number): number {
  const known = quantiles.get(seeds) ?? studentQuantile(0.975, seeds - 1);
  quantiles.set(seeds, known);
  return known;
}

function numbersOf(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}
