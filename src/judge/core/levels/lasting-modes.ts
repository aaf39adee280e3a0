import { median } from '../../../stats/summary.ts';
import type { FoundCut } from './describe-levels.ts';
import type { PointColumns } from './point-columns.ts';

/** Two values between which a series goes to and fro, dozens of points at each. */
export interface ModePair {
  readonly low: number;
  readonly high: number;
}

/** A range of usable points with the changes found in it. */
export interface CutRange {
  readonly points: PointColumns;
  readonly from: number;
  readonly cuts: readonly FoundCut[];
  /** Modes known of older points. */
  readonly known: ModePair | undefined;
}

/**
 * Leaves out changes between modes: where a series came back three times to a value that it had before, so that
 * FEWEST_LEVELS levels lie at two values in turns, it has not changed but has two ways to run. Once known, the same
 * two values need no such proof again.
 */
export function withoutModes(range: CutRange): {
  readonly cuts: readonly FoundCut[];
  readonly pair: ModePair | undefined;
} {
  const { points, from, cuts } = range;
  if (cuts.length === 0) return { cuts, pair: range.known };
  const bounds = [from, ...cuts.map(({ at }) => at), points.count];
  const centres = bounds.slice(1).map((to, j) => median(points.values(bounds[j] as number, to))); // as many as ends
  let pair = range.known;
  const dropped = new Set<number>();
  for (let first = 0; first + FEWEST_LEVELS <= centres.length; first++) {
    const end = endOfTurns(centres, first);
    if (end - first < FEWEST_LEVELS) continue;
    pair = pairOf(centres.slice(first, end));
    for (let j = first; j + 1 < end; j++) dropped.add(j);
    first = end - 2;
  }
  const left = cuts.filter(
    (_, j) => !dropped.has(j) && !isBetween(pair, centres[j] as number, centres[j + 1] as number), // one level more than cuts
  );
  return { cuts: left, pair };
}

const FEWEST_LEVELS = 5;
/** How far from a mode a level may lie to be at it, in parts of the way between both. */
const NEAR = 0.25;

/** Index after the last of the levels that lie at the first and at the second value in turns. */
function endOfTurns(centres: readonly number[], first: number): number {
  const near = NEAR * Math.abs((centres[first + 1] as number) - (centres[first] as number)); // the caller has seen that there are more
  let end = first + 2;
  while (
    end < centres.length &&
    Math.abs((centres[end] as number) - (centres[first + ((end - first) % 2)] as number)) <= near
  )
    end++;
  return end;
}

/** The middle of every second level, and of the others. */
function pairOf(centres: readonly number[]): ModePair {
  const [one, other] = [0, 1].map((rest) => median(centres.filter((_, j) => j % 2 === rest)));
  const [a, b] = [one as number, other as number]; // two of them
  return { low: Math.min(a, b), high: Math.max(a, b) };
}

function isBetween(pair: ModePair | undefined, before: number, after: number): boolean {
  if (pair === undefined) return false;
  const near = NEAR * (pair.high - pair.low);
  const [lower, upper] = [Math.min(before, after), Math.max(before, after)];
  return Math.abs(lower - pair.low) <= near && Math.abs(upper - pair.high) <= near;
}
