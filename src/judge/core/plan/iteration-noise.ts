import { median } from '../../../stats/summary.ts';

/** What the samples of runs tell of single iterations. */
export interface IterationNoise {
  /** What an iteration adds to the variance of its run's median, on the scale of logarithms. */
  readonly within: number;
  /** Iterations of a usual run. */
  readonly iterations: number;
  /** The usual value of one. */
  readonly value: number;
}

/** A median of n normal values has pi / 2 times the variance of their mean. */
const MEDIAN_COST = Math.PI / 2;
/** Turns a median absolute deviation into the deviation of a normal value. */
const MAD_TO_DEVIATION = 1.4826;

/**
 * From the samples of several runs; undefined where no run has three positive ones. The spread is that of the middle of
 * the iterations (by the median absolute deviation), since that decides how much their median varies: tails do not.
 */
export function iterationNoise(runs: readonly Float64Array[]): IterationNoise | undefined {
  const usable = runs.filter((values) => values.length >= 3 && values.every((value) => value > 0));
  if (usable.length === 0) return undefined;
  const distances = usable.flatMap((values) => {
    const logs = values.map(Math.log);
    const centre = median(logs);
    // A run's own median lies nearer to its values than the true one.
    const widen = Math.sqrt(values.length / (values.length - 1));
    return Array.from(logs, (value) => Math.abs(value - centre) * widen);
  });
  const deviation = MAD_TO_DEVIATION * median(distances);
  return {
    within: MEDIAN_COST * deviation ** 2,
    iterations: Math.max(1, Math.round(median(usable.map(({ length }) => length)))),
    value: median(usable.map((values) => median(values))),
  };
}
