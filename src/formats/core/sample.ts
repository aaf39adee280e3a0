import { MEASURES } from '../../executors/core/measures.ts';
/** Which direction is good. */
export type Better = 'lower' | 'higher' | 'unknown';

/**
 * Where a direction is from: the definition of the home, the results themselves, or their names and units. "unknown" from
 * the definition is on purpose: the series has none, and nobody waits for one.
 */
export type BetterFrom = 'declared' | 'format' | 'inferred';

/** All values one benchmark gave for one metric in one trial. */
export interface SampleSet {
  /** Path of names, outermost first: ["sort", "10000"]. */
  readonly benchmark: readonly string[];
  readonly metric: string;
  readonly unit: string;
  readonly better: Better;
  /** Raw values in the order of measurement, in `unit`. */
  readonly values: readonly number[];
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** The benchmark as the results named it, where that held a path or a commit of this run alone. */
  readonly original?: string;
}

/**
 * The benchmark under which Nightmark stores what it measured of a command itself; its metrics are measures (`wall`, `cpu`, ...).
 * Their series are command/wall, command/cpu: statistics of one measurement, which do not rename the results of the command.
 */
export const COMMAND_BENCHMARK = 'command';

export function isOfCommand({ benchmark, metric }: Pick<SampleSet, 'benchmark' | 'metric'>): boolean {
  return (
    benchmark.length === 1 && benchmark[0] === COMMAND_BENCHMARK && MEASURES.some((one) => one === metric)
  );
}

/** All results that share experiment, metric path and settings. */
export interface SeriesKey {
  readonly experiment: string;
  /** Path of keys in the data file: ["cpu", "A"]. */
  readonly path: readonly string[];
}

export interface Series extends SeriesKey {
  readonly id: number;
  readonly unit: string;
  readonly better: Better;
  /** Absent: the direction is unknown. */
  readonly betterFrom?: BetterFrom;
}

/** One number of one run. */
export interface SeriesValue extends SeriesKey {
  readonly value: number;
  readonly unit?: string;
  readonly better?: Better;
  /** What was measured, where the path leaves it out. */
  readonly metric?: string;
}

/** A range of a tagged time series as columns, so that a million points cost no objects. */
export interface PointColumns {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly unit: string;
  /** Milliseconds since 1970. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}
