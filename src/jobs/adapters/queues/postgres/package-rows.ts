import { randomUUID } from 'node:crypto';
import type { Database, Row } from '../sql-database.ts';
import { checkHash, type Packages } from '../sql-queue.ts';

const PIECE_BYTES = 1024 * 1024;

/** Packages as rows of chunks. The row in job_packages is written last: without it the package does not exist. */
export function packageRows(database: Database, now: () => number): Packages {
  return {
    async savePackage(hash, bytes) {
      if (await touched(database, checkHash(hash), now())) return;
      const upload = randomUUID();
      let number = 0;
      for await (const piece of pieces(bytes)) {
        await database.rows(
          'INSERT INTO job_package_pieces (upload, number, saved_at, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [upload, number++, now(), piece],
        );
      }
      const [kept] = await database.rows(
        `INSERT INTO job_packages (hash, upload, saved_at) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET saved_at = excluded.saved_at RETURNING upload`,
        [hash, upload, now()],
      );
      // Another process saved the same content first.
      if (kept?.['upload'] !== upload) await removePieces(database, upload);
    },
    hasPackage: async (hash) => (await uploadOf(database, hash)) !== undefined,
    async package(hash) {
      const upload = await uploadOf(database, hash);
      return upload === undefined ? undefined : readPieces(database, upload);
    },
    async unsavedSince(time) {
      await database.rows(
        `DELETE FROM job_package_pieces p WHERE saved_at < $1
         AND NOT EXISTS (SELECT 1 FROM job_packages k WHERE k.upload = p.upload)`,
        [time],
      );
      const rows = await database.rows<Row & { hash: string }>(
        'SELECT hash FROM job_packages WHERE saved_at < $1 ORDER BY hash',
        [time],
      );
      return rows.map(({ hash }) => hash);
    },
    async remove(hash, unsavedSince) {
      const rows = await database.rows<Row & { upload: string }>(
        'DELETE FROM job_packages WHERE hash = $1 AND saved_at < $2 RETURNING upload',
        [hash, unsavedSince],
      );
      for (const { upload } of rows) await removePieces(database, upload);
      return rows.length > 0;
    },
  };
}

async function touched(database: Database, hash: string, now: number): Promise<boolean> {
  const rows = await database.rows('UPDATE job_packages SET saved_at = $2 WHERE hash = $1 RETURNING hash', [
    hash,
    now,
  ]);
  return rows.length > 0;
}

async function uploadOf(database: Database, hash: string): Promise<string | undefined> {
  const rows = await database.rows<Row & { upload: string }>(
    'SELECT upload FROM job_packages WHERE hash = $1',
    [checkHash(hash)],
  );
  return rows[0]?.upload;
}

async function removePieces(database: Database, upload: string): Promise<void> {
  await database.rows('DELETE FROM job_package_pieces WHERE upload = $1', [upload]);
}

async function* readPieces(database: Database, upload: string): AsyncIterable<Uint8Array> {
  for (let number = 0; ; number++) {
    const [row] = await database.rows<Row & { bytes: Uint8Array }>(
      'SELECT bytes FROM job_package_pieces WHERE upload = $1 AND number = $2',
      [upload, number],
    );
    if (row === undefined) return;
    yield row.bytes;
  }
}

/** Chunks of equal size, to avoid many small rows or a huge one. */
async function* pieces(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const given of bytes) {
    for (let at = 0; at < given.length; ) {
      const part = given.subarray(at, at + PIECE_BYTES - size);
      held.push(part);
      size += part.length;
      at += part.length;
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}
