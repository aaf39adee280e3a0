import type { ColumnValues, TimeRange } from '../model/points.ts';
import type { StoredColumn } from './point-shelf.ts';

/** What queries are answered from: stored blocks and the newest points in memory as one. Given by src/app/points. */
export interface PointReader {
  databases(): readonly string[];
  /** All columns of a database, by measurement, tags and field. */
  columns(database: string): readonly StoredColumn[];
  /** Values of one column in the range, oldest first; the last one written for a moment counts. */
  read(column: number, range: TimeRange): Promise<ColumnValues>;
  /** The newest value of each of these columns, in their order; no values for a column that has none. */
  latest(columns: readonly number[]): Promise<readonly ColumnValues[]>;
}
