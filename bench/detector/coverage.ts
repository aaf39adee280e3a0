import { findChanges } from '../../src/judge/core/levels/find-changes.ts';
import { type Kind, makeAll } from './accuracy.ts';
import type { History } from './residuals.ts';

/** How often the interval of a shift holds the true one, of all changes that hit a step. */
export interface Coverage {
  readonly hits: number;
  readonly held: number;
  /** Whole width of the interval in parts of the level, median. */
  readonly width: number;
}

export function coverageOf(histories: readonly History[], step: number, kind: Kind): Coverage {
  const widths: number[] = [];
  let held = 0;
  for (const { values, truth, factors } of makeAll(histories, step, kind)) {
    for (const { index, shift } of findChanges({ values }).changes) {
      const hit = truth.findIndex((at) => Math.abs(at - index) <= NEAR);
      if (hit < 0 || shift.relative === undefined) continue;
      const { low, high } = shift.relative;
      const actual = (factors[hit] as number) - 1; // one factor for each step
      widths.push(high - low);
      if (low - ROUNDING <= actual && actual <= high + ROUNDING) held++;
    }
  }
  widths.sort((a, b) => a - b);
  return { hits: widths.length, held, width: widths[widths.length >> 1] ?? 0 };
}

/** A hit is within so many points. */
const NEAR = 5;
/** A series of equal values has an interval without width. */
const ROUNDING = 1e-9;
