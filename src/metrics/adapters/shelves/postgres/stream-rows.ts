import type { Pool, PoolClient, QueryResultRow } from 'pg';

export interface RowQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Bytes of rows that are held at a time. */
const PIECE_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 500;

/** Rows of a result of any size through a cursor; how many come at once follows from how large they are. */
export async function* streamRows<T extends QueryResultRow>(
  pool: Pool,
  { text, values }: RowQuery,
  sizeOf: (row: T) => number,
): AsyncIterable<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`DECLARE piece NO SCROLL CURSOR FOR ${text}`, [...values]);
    let count = 8;
    for (;;) {
      const { rows } = await client.query<T>(`FETCH ${count} FROM piece`);
      if (rows.length === 0) break;
      yield* rows;
      if (rows.length < count) break;
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row) + 100, 0);
      count = Math.max(1, Math.min(MOST_ROWS, Math.floor((PIECE_BYTES * rows.length) / bytes)));
    }
    isBroken = false;
  } finally {
    await letGo(client, isBroken);
  }
}

/** Who stops reading in the middle comes here, too. A connection that cannot even roll back is thrown away. */
async function letGo(client: PoolClient, isBroken: boolean): Promise<void> {
  try {
    await client.query(isBroken ? 'ROLLBACK' : 'COMMIT');
    client.release();
  } catch {
    client.release(true);
  }
}
