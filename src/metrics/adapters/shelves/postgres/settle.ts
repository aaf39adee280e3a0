import type { Client } from 'pg';
import type { Block, BlockChange } from '../../../core/points/point-storage.ts';
import { columnValues, toBuffer, valuesList } from './rows.ts';

export interface SettleOptions {
  readonly schema: string;
  /** Number of this change: when the connection is lost at the end nobody else can tell whether it was done. */
  readonly number: number;
}

const COLUMNS_AT_ONCE = 2_000;
const BLOCKS_AT_ONCE = 500;

/** All of the change, or nothing of it; once, however often it is tried. */
export async function settleOnce(
  client: Client,
  { columns, blocks, replaced, upTo }: BlockChange,
  { schema, number }: SettleOptions,
): Promise<void> {
  await client.query('BEGIN');
  const { rowCount } = await client.query(
    `UPDATE ${schema}.point_facts SET changes = $1, settled_up_to = greatest(settled_up_to, $2) WHERE changes < $1`,
    [number, upTo],
  );
  if (rowCount === 0) {
    await client.query('ROLLBACK');
    return;
  }
  await client.query(`DELETE FROM ${schema}.point_blocks WHERE id = ANY($1::bigint[])`, [[...replaced]]);
  for (const part of slices(columns, COLUMNS_AT_ONCE)) {
    await client.query(
      `INSERT INTO ${schema}.point_columns VALUES ${valuesList(part.length, 4)} ON CONFLICT (number) DO NOTHING`,
      part.flatMap(columnValues),
    );
  }
  for (const part of slices(blocks, BLOCKS_AT_ONCE)) {
    await client.query(
      `INSERT INTO ${schema}.point_blocks (col, tier, first_ms, first_ns, last_ms, last_ns, count, bytes)
       VALUES ${valuesList(part.length, 8)}`,
      part.flatMap(blockValues),
    );
  }
  await client.query(`DELETE FROM ${schema}.point_log WHERE number <= $1`, [upTo]);
  await client.query('COMMIT');
}

function blockValues({ column, tier, first, last, count, bytes }: Block): unknown[] {
  return [column, tier, first.ms, first.ns, last.ms, last.ns, count, toBuffer(bytes)];
}

function* slices<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
