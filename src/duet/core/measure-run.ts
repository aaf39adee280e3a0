import type { Iterations } from '../../formats/core/iterations.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { cutWarmup } from './cut-warmup.ts';
import type { AnalysisOptions, RunAnalysis } from './duet-analysis.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { keepIterations } from './keep-iterations.ts';
import { countUnpaired, logRatioOfPairs, meanDifference } from './measure-pairs.ts';
import { pairIterations } from './pair-iterations.ts';
import type { Pairs } from './pairs.ts';
import { shareAlone } from './running-alone.ts';
import { slowDown } from './slow-down.ts';

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

/** The run without iterations that took no time or that nobody knows the time of, and how many those were. */
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
