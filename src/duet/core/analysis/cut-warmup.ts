import type { Iterations } from '../../../formats/core/format.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import type { AnalysisOptions } from './duet-analysis.ts';

/** What is left of one side of a run. */
interface KeptSide {
  readonly iterations: Iterations;
  /** Iterations that were cut as warm-up. */
  readonly cut: number;
  readonly isSteady: boolean;
}

/** Suites whose iterations the original cuts in half; it keeps all of any other. */
const WARMING_SUITES: ReadonlySet<string> = new Set(['renaissance', 'dacapo', 'scalabench']);

/** Cuts the warm-up of a run by the chosen rule. */
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
function cutFirstHalf(run: DuetIterations): Readonly<Partial<Record<Side, KeptSide>>> {
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

/** From where on a series of times no longer changes its level. */
interface SteadyState {
  /** Position of the first iteration that counts. */
  readonly from: number;
  /** False when the level went on changing for as long as we are willing to wait: half of the series. */
  readonly isSteady: boolean;
}

/** With fewer iterations warm-up and noise cannot be distinguished: nothing is cut. */
const FEWEST = 10;
/** Deviations of the median that a value may lie away; a burst must not look like half of a warm-up. */
const CLAMP = 5;
/** Standard errors by which the cut part must differ: flat noise is left alone (1 % of series of 50 lose anything). */
const CERTAIN = 4;
/** A cut of nearly the half that is allowed at most says that the end of warming up was not found. */
const NEVER = 0.45;
/** Makes the median absolute deviation comparable with a standard deviation of normal noise: 1 / 0.6745. */
const NORMAL = 1.4826;

/**
 * Where warming up ends, by the truncation rule MSER (White, 1997): cut where the standard error of the mean of what
 * remains is least, at most half. We apply it to logarithms (JIT compilers speed up by factors), with values clamped
 * to the noise of the second half (bursts of a shared machine are not warm-up), and cut only when what is cut differs
 * clearly from what is kept.
 */
export function findSteadyState(times: Float64Array): SteadyState {
  const length = times.length;
  if (length < FEWEST) return { from: 0, isSteady: true };
  const levels = times.map((time) => Math.log(time));
  const { center, scale } = noiseOf(levels.slice(length >> 1));
  if (scale > 0) clamp(levels, center - CLAMP * scale, center + CLAMP * scale);
  const from = leastError(levels);
  if (from === 0 || !differs(levels, from, scale)) return { from: 0, isSteady: true };
  return { from, isSteady: from < NEVER * length };
}

function noiseOf(levels: Float64Array): { center: number; scale: number } {
  const center = middle(levels);
  return { center, scale: NORMAL * middle(levels.map((level) => Math.abs(level - center))) };
}

/** The median; sorts what it is given. */
function middle(values: Float64Array): number {
  const sorted = values.sort();
  const half = sorted.length >> 1;
  const high = sorted[half] as number; // never empty here
  return sorted.length % 2 === 1 ? high : ((sorted[half - 1] as number) + high) / 2;
}

function clamp(levels: Float64Array, low: number, high: number): void {
  for (let i = 0; i < levels.length; i++) levels[i] = Math.min(high, Math.max(low, levels[i] as number));
}

/** From the end to the front, so that mean and squares of every rest come from the one before (Welford). */
function leastError(levels: Float64Array): number {
  let mean = 0;
  let squares = 0;
  let least = Number.POSITIVE_INFINITY;
  let from = 0;
  for (let i = levels.length - 1, count = 1; i >= 0; i--, count++) {
    const off = (levels[i] as number) - mean;
    mean += off / count;
    squares += off * ((levels[i] as number) - mean);
    const error = squares / count / count;
    if (i <= levels.length / 2 && error <= least) {
      least = error;
      from = i;
    }
  }
  return from;
}

/** Whether some beginning of the cut part lies further from the kept level than its own standard error explains. */
function differs(levels: Float64Array, from: number, scale: number): boolean {
  let kept = 0;
  for (let i = from; i < levels.length; i++) kept += levels[i] as number;
  kept /= levels.length - from;
  let total = 0;
  for (let i = 0; i < from; i++) {
    total += (levels[i] as number) - kept;
    if (Math.abs(total) > CERTAIN * scale * Math.sqrt(i + 1)) return true;
  }
  return false;
}

/** The iterations at the positions that pass; the same columns when all do. */
export function keepIterations(side: Iterations, isKept: (position: number) => boolean): Iterations {
  const positions = new Int32Array(side.times.length);
  let kept = 0;
  for (let i = 0; i < positions.length; i++) if (isKept(i)) positions[kept++] = i;
  if (kept === positions.length) return side;
  // What passes is mostly everything from some position on: a view then does.
  if (kept === 0 || positions[0] === positions.length - kept) {
    return keepPositionsFrom(side, positions.length - kept);
  }
  return pick(side, positions.subarray(0, kept));
}

/** Everything from a position on, as views of the same columns. */
function keepPositionsFrom(side: Iterations, from: number): Iterations {
  if (from === 0) return side;
  return {
    numbers: side.numbers.subarray(from),
    times: side.times.subarray(from),
    ...(side.starts && { starts: side.starts.subarray(from) }),
    ...(side.ends && { ends: side.ends.subarray(from) }),
  };
}

function pick(side: Iterations, positions: Int32Array): Iterations {
  const of = (column: Float64Array) => Float64Array.from(positions, (i) => column[i] as number); // from the same table
  return {
    numbers: positions.map((i) => side.numbers[i] as number),
    times: of(side.times),
    ...(side.starts && { starts: of(side.starts) }),
    ...(side.ends && { ends: of(side.ends) }),
  };
}
