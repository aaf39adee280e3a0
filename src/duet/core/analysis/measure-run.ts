import type { Iterations } from '../../../formats/core/format.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import type { DuetRunType } from '../duet.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { cutWarmup, keepIterations } from './cut-warmup.ts';
import type { AnalysisOptions, RunAnalysis } from './duet-analysis.ts';
import { type Pairs, pairIterations } from './pair-iterations.ts';
import { countUnpaired, logRatioOfPairs, meanDifference } from './pair-ratios.ts';
import { shareAlone } from './run-extent.ts';

/** One run after warm-up and pairing, with what its group needs to know of it. */
export interface MeasuredRun {
  readonly analysis: RunAnalysis;
  /** What counts of each side. */
  readonly A?: Iterations;
  readonly B?: Iterations;
  readonly pairs?: Pairs;
  readonly unpaired: number;
  readonly warmup: number;
  /** Sides whose warm-up did not end. */
  readonly unsteady: readonly Side[];
  readonly alone?: Readonly<Record<Side, number>>;
}

/** Cuts, slows down, pairs and measures one run. */
export function measureRun(run: DuetIterations, options: AnalysisOptions): MeasuredRun {
  const cut = cutWarmup(run, options);
  const A = cut.A?.iterations;
  const B = cut.B && slowDown(cut.B.iterations, options.slowdown, run.type);
  const alone = run.type === 'seqn' ? undefined : shareAlone(run);
  const paired = A && B && pairRun({ A, B }, run, options);
  return {
    analysis: {
      runid: run.runid,
      pairs: paired?.pairs.count ?? 0,
      ...paired?.measured,
      ...(A && A.numbers.length > 0 && { steadyFromA: A.numbers[0] as number }),
      ...(B && B.numbers.length > 0 && { steadyFromB: B.numbers[0] as number }),
    },
    ...(A && { A }),
    ...(B && { B }),
    ...(paired && { pairs: paired.pairs }),
    unpaired: paired?.unpaired ?? (A ?? B)?.times.length ?? 0,
    warmup: (cut.A?.cut ?? 0) + (cut.B?.cut ?? 0),
    unsteady: (['A', 'B'] as const).filter((side) => cut[side]?.isSteady === false),
    ...(alone && { alone }),
  };
}

/** The run without iterations that took no time or whose time is unknown, and how many those were. */
export function dropUnmeasured(run: DuetIterations): {
  readonly run: DuetIterations;
  readonly dropped: number;
} {
  const usable = (side: Iterations) => keepIterations(side, (i) => isTime(side.times[i] as number));
  const [A, B] = [run.A && usable(run.A), run.B && usable(run.B)];
  const dropped = lengthOf(run.A) + lengthOf(run.B) - lengthOf(A) - lengthOf(B);
  return { run: dropped === 0 ? run : { ...run, ...(A && { A }), ...(B && { B }) }, dropped };
}

function pairRun(
  sides: { A: Iterations; B: Iterations },
  { type }: DuetIterations,
  options: AnalysisOptions,
) {
  const pairs = pairIterations({ type, ...sides }, options);
  const logRatio = logRatioOfPairs(sides, pairs);
  const difference = meanDifference(sides, pairs);
  return {
    pairs,
    unpaired: countUnpaired(sides, pairs),
    measured: {
      ...(logRatio !== undefined && { logRatio }),
      ...(difference !== undefined && { difference }),
    },
  };
}

function isTime(time: number): boolean {
  return time > 0 && time < Number.POSITIVE_INFINITY;
}

function lengthOf(side: Iterations | undefined): number {
  return side?.times.length ?? 0;
}

/**
 * The iterations as they would have been, had each taken `fraction` longer (negative: shorter). Where both sides run
 * freely the extra time adds up and later iterations begin later, with the gaps between them kept; elsewhere each
 * iteration begins when it began, since a barrier or a run of its own decides about that.
 */
export function slowDown(iterations: Iterations, fraction: number, type: DuetRunType): Iterations {
  if (fraction === 0) return iterations;
  const times = iterations.times.map((time) => time * (1 + fraction));
  const { starts, ends } = iterations;
  if (!starts || !ends) return { ...iterations, times };
  const newStarts = new Float64Array(starts.length);
  const newEnds = new Float64Array(starts.length);
  let extra = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = (starts[i] as number) + (type === 'duet' ? extra : 0); // i is below the length
    extra += (times[i] as number) - (iterations.times[i] as number);
    newStarts[i] = start;
    newEnds[i] = type === 'duet' ? (ends[i] as number) + extra : start + (times[i] as number);
  }
  return { ...iterations, starts: newStarts, ends: newEnds, times };
}

/** Columns one after the other. */
export function joinColumns(columns: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(columns.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}

interface Spread {
  readonly count: number;
  readonly mean: number;
  /** Sample deviation (divisor n - 1) / mean; absent with fewer than two. */
  readonly variation?: number;
}

/** Mean and variation over several columns, in two passes and without a copy; undefined when all are empty. */
export function spreadOf(columns: readonly Float64Array[]): Spread | undefined {
  let count = 0;
  let total = 0;
  for (const column of columns) {
    count += column.length;
    for (const value of column) total += value;
  }
  if (count === 0) return undefined;
  const mean = total / count;
  if (count === 1) return { count, mean };
  let squares = 0;
  for (const column of columns) for (const value of column) squares += (value - mean) ** 2;
  return { count, mean, variation: Math.sqrt(squares / (count - 1)) / mean };
}

/** The times of one side of all runs that have it. */
export function timesOf(
  runs: readonly Readonly<Partial<Record<Side, Iterations>>>[],
  side: Side,
): readonly Float64Array[] {
  return runs.flatMap((run) => (run[side] ? [run[side].times] : []));
}

/** The values that are there. */
export function present(values: readonly (number | undefined)[]): Float64Array {
  return Float64Array.from(values.filter((value) => value !== undefined));
}
