import type { ComponentChildren } from 'preact';

/** One column of a table: what it is called, what it shows, and by what it is sorted. */
export interface Column<Row> {
  /** In the address when sorted by it; unique in the table. */
  readonly key: string;
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Absent: the table cannot be sorted by it. Undefined and NaN come last in either direction. */
  readonly sortBy?: (row: Row) => number | string | undefined;
  readonly isNumber?: boolean;
  /** CSS width; columns without one share the rest. */
  readonly width?: string;
}

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

/** "name" or "-change", as the address has it. */
export function readSorting(text: string | undefined): Sorting | undefined {
  if (text === undefined || text === '' || text === '-') return undefined;
  return text.startsWith('-')
    ? { key: text.slice(1), isDescending: true }
    : { key: text, isDescending: false };
}

export function writeSorting({ key, isDescending }: Sorting): string {
  return isDescending ? `-${key}` : key;
}

/** Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === sorting?.key)?.sortBy;
  if (sorting === undefined || sortBy === undefined) return rows;
  const keyed = rows.map((row) => [sortBy(row), row] as const);
  const sign = sorting.isDescending ? -1 : 1;
  return keyed.sort(([a], [b]) => compare(a, b, sign)).map(([, row]) => row);
}

type SortValue = number | string | undefined;

function compare(a: SortValue, b: SortValue, sign: number): number {
  const [isAGone, isBGone] = [isGone(a), isGone(b)];
  if (isAGone || isBGone) return Number(isAGone) - Number(isBGone);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * ORDER.compare(String(a), String(b));
}

function isGone(value: SortValue): boolean {
  return value === undefined || Number.isNaN(value);
}

/** "run 2" before "run 10". */
const ORDER = new Intl.Collator('en', { numeric: true });
