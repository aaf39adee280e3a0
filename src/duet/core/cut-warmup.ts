import type { Iterations } from '../../formats/core/iterations.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { AnalysisOptions } from './duet-analysis.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { keepIterations, keepPositionsFrom } from './keep-iterations.ts';
import { findSteadyState } from './steady-state.ts';

/** What is left of one side of a run. */
export interface KeptSide {
  readonly iterations: Iterations;
  /** Iterations that were cut as warm-up. */
  readonly cut: number;
  readonly isSteady: boolean;
}

/** Suites whose iterations the original cuts in half; it keeps all of any other. */
const WARMING_SUITES: ReadonlySet<string> = new Set(['renaissance', 'dacapo', 'scalabench']);

/** Cuts what a run needed to warm up, by the rule that was asked for. */
export function cutWarmup(
  run: DuetIterations,
  { warmup, compat }: Pick<AnalysisOptions, 'warmup' | 'compat'>,
): Readonly<Partial<Record<Side, KeptSide>>> {
  if (warmup === 'steady') return bothSides(run, steadyPart);
  if (warmup === 'none' || (compat && !WARMING_SUITES.has(run.suite))) return bothSides(run, whole);
  return cutFirstHalf(run);
}

/**
 * The rule of the original: of each run the largest iteration number over both sides, and then of both what has at
 * least half of it. A side that was slower or stopped earlier loses more.
 */
export function cutFirstHalf(run: DuetIterations): Readonly<Partial<Record<Side, KeptSide>>> {
  const largest = Math.max(largestOf(run.A), largestOf(run.B));
  return bothSides(run, (side) => {
    const iterations = keepIterations(side, (position) => (side.numbers[position] as number) >= largest / 2);
    return { iterations, cut: side.times.length - iterations.times.length, isSteady: true };
  });
}

function steadyPart(side: Iterations): KeptSide {
  const { from, isSteady } = findSteadyState(side.times);
  return { iterations: keepPositionsFrom(side, from), cut: from, isSteady };
}

function whole(iterations: Iterations): KeptSide {
  return { iterations, cut: 0, isSteady: true };
}

function bothSides(
  { A, B }: DuetIterations,
  keep: (side: Iterations) => KeptSide,
): Readonly<Partial<Record<Side, KeptSide>>> {
  return { ...(A && { A: keep(A) }), ...(B && { B: keep(B) }) };
}

function largestOf(side: Iterations | undefined): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const number of side?.numbers ?? []) if (number > largest) largest = number;
  return largest;
}
