import type { SqliteConnection } from '../../../../platform/adapters/sqlite.ts';
import type { BlockChange, StorageSize, StoredColumn } from '../../../core/points/point-storage.ts';
import type { FieldType, Tags } from '../../../core/points/points.ts';
import { insertBlock } from './blocks.ts';

type ColumnRow = readonly [number: number, database: string, key: string, type: FieldType];

export function settledUpTo(connection: SqliteConnection): number {
  return connection.first<[number]>('SELECT up_to FROM settled')?.[0] ?? 0;
}

export function saveSettled(
  connection: SqliteConnection,
  { columns, blocks, replaced, upTo }: BlockChange,
): void {
  for (const { number, database, type, measurement, tags, field } of columns) {
    connection.run('INSERT OR REPLACE INTO columns (number, database, key, type) VALUES (?, ?, ?, ?)', [
      number,
      database,
      JSON.stringify([measurement, tags, field]),
      type,
    ]);
  }
  for (const id of replaced) connection.run('DELETE FROM blocks WHERE id = ?', [id]);
  for (const block of blocks) insertBlock(connection, block);
  connection.run('UPDATE settled SET up_to = max(up_to, ?)', [upTo]);
}

export function storedColumns(connection: SqliteConnection, from: number): readonly StoredColumn[] {
  const rows = connection.each<ColumnRow>(
    'SELECT number, database, key, type FROM columns WHERE number >= ? ORDER BY number',
    [from],
  );
  return Array.from(rows, ([number, database, key, type]) => {
    const [measurement, tags, field] = JSON.parse(key) as [string, Tags, string];
    return { number, database, type, measurement, tags, field };
  });
}

export function deleteColumns(connection: SqliteConnection, columns: readonly number[]): void {
  for (const column of columns) {
    connection.run('DELETE FROM blocks WHERE column_number = ?', [column]);
    connection.run('DELETE FROM columns WHERE number = ?', [column]);
  }
}

export function dropDatabase(connection: SqliteConnection, name: string): void {
  connection.run(
    'DELETE FROM blocks WHERE column_number IN (SELECT number FROM columns WHERE database = ?)',
    [name],
  );
  connection.run('DELETE FROM columns WHERE database = ?', [name]);
  connection.run('DELETE FROM databases WHERE name = ?', [name]);
}

export function sizeOf(connection: SqliteConnection, database: string): Omit<StorageSize, 'logBytes'> {
  const columns =
    connection.first<[number]>('SELECT count(*) FROM columns WHERE database = ?', [database])?.[0] ?? 0;
  const [blocks = 0, points = 0, bytes = 0] =
    connection.first<[number, number, number]>(
      `SELECT count(*), coalesce(sum(points), 0), coalesce(sum(length(bytes)), 0) FROM blocks
       WHERE column_number IN (SELECT number FROM columns WHERE database = ?)`,
      [database],
    ) ?? [];
  return { columns, blocks, points, bytes };
}
