import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { JobQueue } from '../../../core/job-queue.ts';
import { sqlQueue } from '../sql-queue.ts';
import { packageFiles } from './package-files.ts';
import { SqliteDatabase } from './sqlite-database.ts';

export interface SqliteQueueOptions {
  /** The file; packages lie beside it in `jobs/code`. */
  readonly place: string;
  /** Milliseconds since 1970; all processes of a machine share it. */
  readonly now?: () => number;
}

/** Jobs of a home in one file, for all processes of one machine. */
async function openSqliteQueue({ place, now = Date.now }: SqliteQueueOptions): Promise<JobQueue> {
  const file = resolve(place);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = await SqliteDatabase.open(file);
  const packages = packageFiles(join(dirname(file), 'jobs', 'code'), now);
  return sqlQueue({ id: 'sqlite', database, packages, now });
}

export default openSqliteQueue;
