import type { SeriesKey } from '../../../formats/core/sample.ts';
import type { Shift } from '../../../home/core/changes/change.ts';
import type { Verdict } from '../../../stats/verdict.ts';

/**
 * What a comparison says of one series: a verdict about the head; `changed` where it is not known which direction is
 * good; `new` and `gone` where only one side has it; `failed` where its experiment failed in the head.
 */
export type RowVerdict = Verdict | 'changed' | 'new' | 'gone' | 'failed';

/** One series on both sides. */
export interface ComparedRow extends SeriesKey {
  readonly unit: string;
  readonly better: 'lower' | 'higher' | 'unknown';
  readonly verdict: RowVerdict;
  /** Centre of the values of a side and how many runs have one; absent where there is none. */
  readonly base?: SideValue;
  readonly head?: SideValue;
  /** From base to head with its interval; without one where nothing is known of the noise. */
  readonly shift?: Shift;
  /** The difference as a fraction of the base, also where there is no interval. */
  readonly change?: number;
  /** That nothing differs, before and after the correction for the number of series. */
  readonly p?: number;
  readonly adjustedP?: number;
  readonly basis: Basis;
  /** Looked different, but among so many series some do by chance. */
  readonly isHeldBack?: true;
}

export interface SideValue {
  readonly value: number;
  readonly runs: number;
}

/**
 * What the interval rests on: the spread between the runs of both sides; the noise of so many earlier runs of the
 * series; or nothing, as too little is known.
 */
export type Basis =
  | { readonly kind: 'runs' }
  | { readonly kind: 'past'; readonly runs: number }
  | { readonly kind: 'none' };

/** How many series got each verdict. */
export type RowCounts = Readonly<Record<RowVerdict, number>> & {
  /** Those of the undecided that are held back. */
  readonly heldBack: number;
};

export function countRows(rows: readonly ComparedRow[]): RowCounts {
  const counts = {
    ...{ slower: 0, faster: 0, changed: 0, same: 0, undecided: 0 },
    ...{ new: 0, gone: 0, failed: 0, heldBack: 0 },
  };
  for (const { verdict, isHeldBack } of rows) {
    counts[verdict]++;
    if (isHeldBack) counts.heldBack++;
  }
  return counts;
}

/** Whether a row is shown before anybody asks for all of them. */
export function isTelling({ verdict }: Pick<ComparedRow, 'verdict'>): boolean {
  return verdict !== 'same' && verdict !== 'undecided';
}
