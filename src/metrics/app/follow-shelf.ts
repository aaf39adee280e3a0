import type { NumberedRecord, PointStorage, StoredColumn } from '../core/points/point-storage.ts';

/** What a reader has to do to be where the writer is. */
export type ShelfNews =
  /** Records since the last look. */
  | { readonly state: 'more'; readonly records: readonly NumberedRecord[] }
  /** The writer has settled: everything is to be learned anew. */
  | {
      readonly state: 'anew';
      readonly settled: number;
      readonly columns: readonly StoredColumn[];
      readonly databases: readonly string[];
      readonly records: readonly NumberedRecord[];
    };

/** How far a reader has come. */
export interface Followed {
  /** What was settled when columns and records were read. */
  readonly settled: number;
  readonly last: number;
}

/** A writer that settles all the time is looked at again so often; then the news are a moment old. */
const MOST_LOOKS = 10;

/**
 * Reads what another process wrote meanwhile, and no more. Numbers of columns are given in the order of the log, so columns
 * and log must belong together: what is settled tells whether the writer has changed that in between.
 */
export async function followShelf(shelf: PointStorage, known: Followed | undefined): Promise<ShelfNews> {
  const settled = await shelf.settledUpTo();
  if (known && settled === known.settled) {
    const records = await recordsOf(shelf, known.last);
    if ((await shelf.settledUpTo()) === settled) return { state: 'more', records };
  }
  for (let look = 0; ; look++) {
    const before = await shelf.settledUpTo();
    const [databases, columns] = [await shelf.databases(), await shelf.columns()];
    const records = await recordsOf(shelf, 0);
    const isWhole = (await shelf.settledUpTo()) === before;
    if (isWhole || look >= MOST_LOOKS)
      return { state: 'anew', settled: before, databases, columns, records: isWhole ? records : [] };
  }
}

async function recordsOf(shelf: PointStorage, after: number): Promise<readonly NumberedRecord[]> {
  const records: NumberedRecord[] = [];
  for await (const record of shelf.readLog(after)) records.push(record);
  return records;
}
