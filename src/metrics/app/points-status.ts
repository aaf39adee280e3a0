import type { IngestReport } from '../core/lines/ingest-counters.ts';
import type { PointStorage, StorageSize, StoredColumn } from '../core/points/point-storage.ts';
import type { ForwardStatus } from './forward-points.ts';
import type { Memtable } from './memtable.ts';

/** What is stored, what came in, and what was refused or lost. */
export interface PointsView {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
  /** Databases that are there and not shown. */
  readonly hidden: number;
  /** Why the store cannot be used now. */
  readonly problem?: string;
  readonly ingest: IngestReport;
  readonly forwarding: readonly ForwardStatus[];
}

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
  { shelf, heads }: { readonly shelf: PointStorage; readonly heads: readonly Memtable[] },
): Promise<DatabaseSize> {
  const series = new Set(columns.map(({ measurement, tags }) => JSON.stringify([measurement, tags]))).size;
  let waiting = 0;
  for (const head of heads) {
    for (const { number } of columns) waiting += head.column(number)?.count ?? 0;
  }
  return { ...(await shelf.size(database)), columns: columns.length, series, waiting };
}
