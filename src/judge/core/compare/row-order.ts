import type { ComparedRow, RowVerdict } from './compared-row.ts';

/** What failed comes first, then what differs, then what is on one side only, then what is not known, then what is the same. */
const RANKS: Readonly<Record<RowVerdict, number>> = {
  failed: 0,
  slower: 1,
  faster: 1,
  changed: 1,
  gone: 2,
  new: 3,
  undecided: 4,
  same: 5,
};

/** Within a rank the largest effect that is most certain first; then by name. */
export function inOrder(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  return rows
    .map((row) => ({ row, rank: RANKS[row.verdict], weight: weightOf(row) }))
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
