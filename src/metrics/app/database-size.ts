import type { PointStorage, StorageSize, StoredColumn } from '../core/points/point-storage.ts';
import type { Head } from './head.ts';

/** What a database holds, the newest points in memory with it. */
export interface DatabaseSize extends StorageSize {
  /** Measurements with their tags; `columns` counts fields of them. */
  readonly series: number;
  /** Values that are in memory and in the log, and in no block yet; `points` counts those in blocks. */
  readonly waiting: number;
}

export async function databaseSize(
  database: string,
  columns: readonly StoredColumn[],
  { shelf, heads }: { readonly shelf: PointStorage; readonly heads: readonly Head[] },
): Promise<DatabaseSize> {
  const series = new Set(columns.map(({ measurement, tags }) => JSON.stringify([measurement, tags]))).size;
  let waiting = 0;
  for (const head of heads) {
    for (const { number } of columns) waiting += head.column(number)?.count ?? 0;
  }
  return { ...(await shelf.size(database)), columns: columns.length, series, waiting };
}
