import type { Series } from '../../../formats/core/sample.ts';
import { adjustedPValues } from '../../../stats/false-discovery.ts';
import { median } from '../../../stats/summary.ts';
import { isSame, shiftOf, sideOf } from '../newest/judge-newest.ts';
import type { ComparedRow } from './compared-row.ts';
import { compareSides } from './judge-sides.ts';
import { inOrder } from './row-order.ts';

/** A series with the values of both sides; those that are no numbers are left out. */
export interface SeriesSides {
  readonly series: Omit<Series, 'id'>;
  readonly base: Float64Array;
  readonly head: Float64Array;
  readonly past: readonly Float64Array[];
  /** Its experiment failed in every run of the head that had it. */
  readonly hasFailed: boolean;
}

export interface CompareOptions {
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
  /** How often an interval misses, and the part of the told differences that may be false. */
  readonly alpha: number;
}

export const COMPARE_DEFAULTS: CompareOptions = { minEffect: 0.01, alpha: 0.05 };

/** Judges every series and puts what matters most first. */
export function compareSeries(all: readonly SeriesSides[], options: CompareOptions): readonly ComparedRow[] {
  const rows = all.map((one) => compareOne(one, options));
  const adjusted = adjustedPValues(rows.map(({ p }) => p));
  return inOrder(rows.map((row, place) => withCorrection(row, adjusted[place], options)));
}

function compareOne(
  { series, base, head, past, hasFailed }: SeriesSides,
  { minEffect, alpha }: CompareOptions,
): ComparedRow {
  const { experiment, path, unit, better } = series;
  const known = { experiment, path, unit, better };
  const none = { basis: { kind: 'none' } as const };
  const sides = {
    ...(base.length > 0 && { base: { value: median(base), runs: base.length } }),
    ...(head.length > 0 && { head: { value: median(head), runs: head.length } }),
  };
  if (head.length === 0) return { ...known, ...sides, ...none, verdict: hasFailed ? 'failed' : 'gone' };
  if (base.length === 0) return { ...known, ...sides, ...none, verdict: 'new' };
  const found = compareSides({ base, head, past });
  if (found === undefined) {
    const change = median(head) / median(base) - 1;
    const isKnown = Number.isFinite(change) && median(base) > 0;
    return { ...known, ...sides, ...none, verdict: 'undecided', ...(isKnown && { change }) };
  }
  const shift = shiftOf(found, alpha);
  const verdict = isSame(found, minEffect) ? 'same' : sideOf(found.distance, better);
  const change = shift.relative?.change;
  return {
    ...{ ...known, ...sides, verdict, shift, p: found.p, basis: found.basis },
    ...(change !== undefined && { change }),
  };
}

/** A difference is told when few of all that are told are false; the others are undecided. */
function withCorrection(
  row: ComparedRow,
  adjustedP: number | undefined,
  { alpha }: CompareOptions,
): ComparedRow {
  if (adjustedP === undefined || row.p === undefined) return row;
  if (row.verdict === 'same' || adjustedP <= alpha) return { ...row, adjustedP };
  const isHeldBack = row.p <= alpha;
  return { ...row, adjustedP, verdict: 'undecided', ...(isHeldBack && { isHeldBack }) };
}
