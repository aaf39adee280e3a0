import type { BetterFrom, SeriesKey } from '../../../formats/core/sample.ts';
import type { Shift } from '../../../home/core/changes/change.ts';
import type { Verdict } from '../../../stats/verdict.ts';

/**
 * The comparison of one series: a verdict about the head; `changed` where the better direction is
 * unknown; `new` and `gone` where only one side has it; `failed` where its experiment failed in the head.
 */
export type RowVerdict = Verdict | 'changed' | 'new' | 'gone' | 'failed';

/** One series on both sides. */
export interface ComparedRow extends SeriesKey {
  readonly unit: string;
  readonly better: 'lower' | 'higher' | 'unknown';
  /** Where the direction is from; absent: unknown. */
  readonly betterFrom?: BetterFrom;
  readonly verdict: RowVerdict;
  /** Undecided, but there is a difference, and its estimate lies beyond the smallest effect of interest. */
  readonly likely?: 'slower' | 'faster' | 'changed';
  /** Centre of the values of a side and how many runs have one; absent where there is none. */
  readonly base?: SideValue;
  readonly head?: SideValue;
  /** From base to head with its interval; without one where the noise is unknown. */
  readonly shift?: Shift;
  /**
   * What differs by that: means, of logarithms where all values are above 0; where the noise is that of earlier runs, of
   * five values or more those far out are drawn in.
   */
  readonly estimand?: 'mean' | 'robust-mean';
  /** Of neighbouring runs, where it was seen: the interval is wider by it. */
  readonly correlation?: number;
  /** The difference as a fraction of the base, also where there is no interval. */
  readonly change?: number;
  /** That nothing differs, before and after the correction for the number of series. */
  readonly p?: number;
  readonly adjustedP?: number;
  readonly basis: Basis;
  /** Looks different, but among so many series some do by chance. */
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
  /** Those of the undecided that are held back, and those that are likely slower, faster or changed. */
  readonly heldBack: number;
  readonly likely: Readonly<Record<NonNullable<ComparedRow['likely']>, number>>;
};

export function countRows(rows: readonly ComparedRow[]): RowCounts {
  const counts = {
    ...{ slower: 0, faster: 0, changed: 0, same: 0, undecided: 0 },
    ...{ new: 0, gone: 0, failed: 0, heldBack: 0 },
    likely: { slower: 0, faster: 0, changed: 0 },
  };
  for (const { verdict, likely, isHeldBack } of rows) {
    counts[verdict]++;
    if (isHeldBack) counts.heldBack++;
    if (likely) counts.likely[likely]++;
  }
  return counts;
}

/** Whether a row is shown before all of them are requested. */
export function isNotable({ verdict, likely }: Pick<ComparedRow, 'verdict' | 'likely'>): boolean {
  return likely !== undefined || (verdict !== 'same' && verdict !== 'undecided');
}

/** Undecided ones that are not shown before all rows are requested. */
export function hiddenUndecided({ undecided, likely }: RowCounts): number {
  return undecided - likely.slower - likely.faster - likely.changed;
}

/** What failed comes first, then what differs, likely differs, is on one side only, is unknown, and is the same. */
const RANKS: Readonly<Record<RowVerdict, number>> = {
  failed: 0,
  slower: 1,
  faster: 1,
  changed: 1,
  gone: 3,
  new: 4,
  undecided: 5,
  same: 6,
};
const LIKELY_RANK = 2;

/** Within a rank the largest effect that is most certain first; then by name. */
export function inOrder(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  return rows
    .map((row) => ({ row, rank: row.likely ? LIKELY_RANK : RANKS[row.verdict], weight: weightOf(row) }))
    .sort((a, b) => a.rank - b.rank || b.weight - a.weight || byName(a.row, b.row))
    .map(({ row }) => row);
}

/** Size of the effect times how certain it is; as a logarithm, so that half and double weigh the same. */
export function weightOf({ change, shift, p }: Pick<ComparedRow, 'change' | 'shift' | 'p'>): number {
  const isFactor = change !== undefined && change > -1;
  const size = isFactor ? Math.abs(Math.log1p(change)) : Math.abs(change ?? (shift?.difference ? 1 : 0));
  return size * (1 - (p ?? 1));
}

function byName(a: ComparedRow, b: ComparedRow): number {
  return compareText(a.experiment, b.experiment) || compareText(a.path.join('/'), b.path.join('/'));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
