import type { KpiNumber } from '../../../formats/core/kpi/kpi.ts';
import type { EntryTable, KpiColumn, SettingColumn } from './entry-table.ts';
import type { AskedView } from './explorer-view.ts';

/** The tests of a view, and how many are not among them, by why. */
export interface Selection {
  /** Rows of the table. */
  readonly rows: readonly number[];
  /** Rows that failed and have all chosen settings: counted, and in `rows` only when they are asked for. */
  readonly failed: readonly number[];
  /** Hidden by a chosen value. */
  readonly unchosen: number;
  /** Tests of something else: they have no such KPI. */
  readonly others: number;
}

export function selectEntries(
  table: EntryTable,
  kpi: KpiColumn,
  { chosen, hasFailed }: Pick<AskedView, 'chosen' | 'hasFailed'>,
): Selection {
  const rows: number[] = [];
  const failed: number[] = [];
  let unchosen = 0;
  const filters = [...chosen];
  for (const row of rowsOf(kpi, table)) {
    if (!filters.every(([{ codes }, wanted]) => wanted.has(codes[row] ?? -1))) unchosen++;
    else if (isFailed(table, row)) failed.push(row);
    else rows.push(row);
  }
  const known = kpi.rows?.length ?? table.ids.length;
  return {
    rows: hasFailed ? [...rows, ...failed].sort((a, b) => a - b) : rows,
    failed,
    unchosen,
    others: table.ids.length - known,
  };
}

export function isFailed({ exitCodes }: EntryTable, row: number): boolean {
  return (exitCodes[row] ?? 0) !== 0;
}

export function* rowsOf(kpi: KpiColumn, { ids }: EntryTable): Generator<number> {
  if (kpi.rows !== null) yield* kpi.rows;
  else for (let row = 0; row < ids.length; row++) yield row;
}

/** The value of each row; undefined where the test has no such KPI. */
export function valuesByRow(kpi: KpiColumn): (row: number) => KpiNumber | undefined {
  if (kpi.rows === null) return (row) => kpi.values[row];
  const places = new Map(kpi.rows.map((row, place) => [row, place]));
  return (row) => kpi.values[places.get(row) ?? -1];
}

/** Places in the values of a setting that these tests have, in order. */
export function placesOf({ codes }: SettingColumn, rows: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  for (const row of rows) seen.add(codes[row] ?? 0);
  return [...seen].sort((a, b) => a - b);
}
