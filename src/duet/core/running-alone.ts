import type { Iterations } from '../../formats/core/iterations.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { DuetIterations } from './duet-iterations.ts';

/** First start and last end of one side, or of a run. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** When a side ran; undefined where the harness tells no moments. */
export function extentOf({ starts, ends }: Iterations): Extent | undefined {
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
