import type { NumberedRecord, PointShelf, StoredColumn } from '../../core/ports/point-shelf.ts';

/** What a reader has to do to be where the writer is. */
export type ShelfNews =
  /** Records since the last look. */
  | { readonly state: 'more'; readonly records: readonly NumberedRecord[] }
  /** The writer has settled: everything is to be learned anew. */
  | {
      readonly state: 'anew';
      readonly columns: readonly StoredColumn[];
      readonly databases: readonly string[];
      readonly records: readonly NumberedRecord[];
    };

/** How far a reader has come. */
export interface Followed {
  /** The oldest record that was in the log; 0: there was none. */
  readonly oldest: number;
  readonly last: number;
}

/** A writer that settles all the time is looked at again so often; then the news are a moment old. */
const MOST_LOOKS = 10;

/**
 * Reads what another process wrote meanwhile. Numbers of columns are given in the order of the log, so columns and log
 * must belong together: the oldest record tells whether the writer has settled in between.
 */
export async function followShelf(shelf: PointShelf, known: Followed | undefined): Promise<ShelfNews> {
  const oldest = await oldestRecord(shelf);
  if (known && oldest === known.oldest) {
    const records = await recordsOf(shelf, known.last);
    if ((await oldestRecord(shelf)) === oldest) return { state: 'more', records };
  }
  for (let look = 0; ; look++) {
    const before = await oldestRecord(shelf);
    const [databases, columns] = [await shelf.databases(), await shelf.columns()];
    const records = await recordsOf(shelf, 0);
    const isWhole = (records[0]?.number ?? 0) === before;
    if (isWhole || look >= MOST_LOOKS)
      return { state: 'anew', databases, columns, records: isWhole ? records : [] };
  }
}

async function oldestRecord(shelf: PointShelf): Promise<number> {
  for await (const { number } of shelf.readLog()) return number;
  return 0;
}

async function recordsOf(shelf: PointShelf, after: number): Promise<readonly NumberedRecord[]> {
  const records: NumberedRecord[] = [];
  for await (const record of shelf.readLog(after)) records.push(record);
  return records;
}
