import { type BootstrapOptions, percentileInterval, resampledMean, resamplesOf } from './bootstrap.ts';
import type { Interval } from './distributions.ts';
import { requireFinite, requirePairs } from './requirements.ts';

/** The values of each run; runs may differ in length, none is empty. */
export type Runs = readonly Float64Array[];

/** The two sides of a comparison by run. */
export interface TwoSides {
  readonly a: Runs;
  readonly b: Runs;
}

/** The method BCa is not offered: there is no jackknife over two levels at once. */
export type HierarchicalOptions = Omit<BootstrapOptions, 'method'>;

/**
 * Interval for the mean over runs of the means of runs. Draws runs, and within each drawn run iterations. For pairs
 * of iterations give their differences or log ratios. A run counts as one, however many iterations it has.
 */
export function hierarchicalMean(runs: Runs, options: HierarchicalOptions): Interval {
  checkRuns(runs);
  return collect(options, () => meanOfDrawnRuns(runs, options.random));
}

/** Interval for mean(a) - mean(b) where the runs of A and of B have nothing to do with each other. */
export function hierarchicalDifference({ a, b }: TwoSides, options: HierarchicalOptions): Interval {
  checkRuns(a);
  checkRuns(b);
  return collect(options, () => {
    const meanA = meanOfDrawnRuns(a, options.random);
    return meanA - meanOfDrawnRuns(b, options.random);
  });
}

/** The same where run i of A and run i of B were one run: it is drawn for both, the iterations of each side apart. */
export function hierarchicalPairedDifference({ a, b }: TwoSides, options: HierarchicalOptions): Interval {
  checkRuns(a);
  checkRuns(b);
  requirePairs(
    a.map(({ length }) => length),
    b.map(({ length }) => length),
  );
  const { random } = options;
  return collect(options, () => {
    let total = 0;
    for (let drawn = 0; drawn < a.length; drawn++) {
      const run = Math.floor(random() * a.length);
      const meanA = resampledMean(a[run] as Float64Array, random); // run < a.length = b.length
      total += meanA - resampledMean(b[run] as Float64Array, random);
    }
    return total / a.length;
  });
}

/** Distances from the first value are summed, so that equal values give their very value. */
function meanOfDrawnRuns(runs: Runs, random: () => number): number {
  const pivot = runs[0]?.[0] as number; // checked: two runs, none empty
  let total = 0;
  for (let drawn = 0; drawn < runs.length; drawn++) {
    const run = runs[Math.floor(random() * runs.length)] as Float64Array; // random() < 1
    total += resampledMean(run, random) - pivot;
  }
  return pivot + total / runs.length;
}

function collect(options: HierarchicalOptions, drawOne: () => number): Interval {
  const distribution = new Float64Array(resamplesOf(options));
  for (let index = 0; index < distribution.length; index++) distribution[index] = drawOne();
  return percentileInterval(distribution, options.level);
}

function checkRuns(runs: Runs): void {
  requireFinite(
    runs.map(({ length }) => length),
    2,
  );
  for (const run of runs) requireFinite(run);
}
