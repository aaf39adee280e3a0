import type { IngestReport } from '../core/lines/ingest-counters.ts';
import type { PointStorage, StorageSize, StoredColumn } from '../core/points/point-storage.ts';
import type { ForwardStatus } from './forward-points.ts';
import type { Memtable } from './memtable.ts';

/** What is stored, what came in, and what was refused or lost. */
export interface PointsView {
  readonly databases: readonly (DatabaseSize & { readonly database: string })[];
  /** Databases that are not shown. */
  readonly hidden: number;
  /** Why the storage is unavailable. */
  readonly problem?: string;
  readonly ingest: IngestReport;
  readonly forwarding: readonly ForwardStatus[];
}

/** What a database holds, including the newest points in memory. */
export interface DatabaseSize extends StorageSize {
  /** Measurements with their tags; `columns` counts fields of them. */
  readonly series: number;
  /** Values that are in memory and in the log, and in no block yet; `points` counts those in blocks. */
  readonly waiting: number;
}

export async function databaseSize(
  database: string,
  columns: readonly StoredColumn[],
  { storage, memtables }: { readonly storage: PointStorage; readonly memtables: readonly Memtable[] },
): Promise<DatabaseSize> {
  const series = new Set(columns.map(({ measurement, tags }) => JSON.stringify([measurement, tags]))).size;
  let waiting = 0;
  for (const memtable of memtables) {
    for (const { number } of columns) waiting += memtable.column(number)?.count ?? 0;
  }
  return { ...(await storage.size(database)), columns: columns.length, series, waiting };
}
