import type { Iterations } from '../../../formats/core/format.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import { type DuetIterations, groupKey, type RunGroup } from '../duet-iterations.ts';
import type { GroupAnalysis, GroupCost } from './duet-analysis.ts';

const NS = 1e9;
/** The original reads whole seconds within a day of each run. */
const DAY = 86_400;

/** Wall-clock time that the runs of a group took, first start to last end, and per iteration of either side. */
export function costOf(group: RunGroup, isCompat: boolean): GroupCost | undefined {
  let seconds = 0;
  let iterations = 0;
  for (const run of group) {
    const time = secondsOf(run);
    if (time === undefined) continue;
    seconds += isCompat ? Math.floor(time) % DAY : time;
    iterations += (run.A?.times.length ?? 0) + (run.B?.times.length ?? 0);
  }
  return iterations > 0 ? { seconds, secondsPerIteration: seconds / iterations } : undefined;
}

/** Adds to each duet how much faster it came to its iterations than sequential runs of the same benchmark there. */
export function withSpeedups(groups: readonly GroupAnalysis[]): readonly GroupAnalysis[] {
  const alone = new Map<string, number>();
  for (const group of groups) {
    if (group.type === 'seqn' && group.cost) alone.set(groupKey(group), group.cost.secondsPerIteration);
  }
  return groups.map((group) => {
    const sequential = alone.get(groupKey({ ...group, type: 'seqn' }));
    if (group.type === 'seqn' || !group.cost || sequential === undefined) return group;
    const speedup = sequential / group.cost.secondsPerIteration - 1;
    return Number.isFinite(speedup) ? { ...group, cost: { ...group.cost, speedup } } : group;
  });
}

/** Sides that ran one after the other cost the time of both, a duet the time from the first start to the last end. */
function secondsOf({ type, A, B }: DuetIterations): number | undefined {
  const extents = [A && extentOf(A), B && extentOf(B)].filter((extent) => extent !== undefined);
  if (extents.length === 0) return undefined;
  if (type === 'seqn') return extents.reduce((total, extent) => total + lengthOf(extent), 0) / NS;
  const from = Math.min(...extents.map((extent) => extent.from));
  return lengthOf({ from, to: Math.max(...extents.map(({ to }) => to)) }) / NS;
}

function lengthOf({ from, to }: Extent): number {
  return to - from;
}

/** First start and last end of one side, or of a run. */
interface Extent {
  readonly from: number;
  readonly to: number;
}

/** When a side ran; undefined where the harness reports no timestamps. */
function extentOf({ starts, ends }: Iterations): Extent | undefined {
  if (!starts || !ends || starts.length === 0) return undefined;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const start of starts) if (start < from) from = start;
  for (const end of ends) if (end > to) to = end;
  return { from, to };
}

/**
 * Share of the time of each side in which the other had not begun yet or was already done. While a side runs alone it
 * has the machine for itself, so a duet of unequal sides says less about them than one of equal sides.
 */
export function shareAlone({ A, B }: DuetIterations): Readonly<Record<Side, number>> | undefined {
  const [a, b] = [A && extentOf(A), B && extentOf(B)];
  if (!A || !B || !a || !b) return undefined;
  return { A: shareOutside(A, b), B: shareOutside(B, a) };
}

function shareOutside({ starts, ends }: Iterations, { from, to }: Extent): number {
  let all = 0;
  let inside = 0;
  for (let i = 0; i < (starts?.length ?? 0); i++) {
    const [start, end] = [starts?.[i] as number, ends?.[i] as number]; // i is below the length
    all += end - start;
    inside += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return all > 0 ? 1 - inside / all : 0;
}
