import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';
import { NightmarkError } from '../../../core/errors.ts';
import type { LockOutcome, Locks } from '../../../core/ports/lock.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { forgetHolder, readHolder, writeHolder } from './holder.ts';

/**
 * A lock is an SQLite file inside of an exclusive transaction: the kernel gives it up with the process, however
 * that ends. Who holds it is told by a JSON file beside it.
 */
export const sqliteLocks: Locks = {
  async acquire(file, holder): Promise<LockOutcome> {
    const path = resolve(file);
    // A refusal without a holder is the moment before it writes down who it is, or somebody's look at the lock.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const database = open(path);
      const isOurs = begin(database, path);
      const known = readHolder(path);
      if (isOurs && known.state !== 'alive') return take(database, path, holder);
      // POSIX drops a process's locks on a file when any of its descriptors of that file is closed, e.g. after a
      // backup read it. Such a holder is still alive and written down: it keeps the lock.
      if (isOurs) end(database);
      else database.close();
      if (known.state === 'alive' || (known.state === 'elsewhere' && !isOurs)) {
        return { state: 'held', holder: known.holder };
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return { state: 'held', holder: {} };
  },
};

/** What the holder of the lock wrote about itself; undefined when nobody holds it. For those who only look. */
export function lockHolder(file: string): JsonObject | undefined {
  const path = resolve(file);
  const known = readHolder(path);
  if (known.state === 'alive') return known.holder;
  if (known.state === 'gone') return undefined;
  const database = open(path);
  const isFree = begin(database, path);
  if (isFree) end(database);
  else database.close();
  return isFree ? undefined : known.holder;
}

const ATTEMPTS = 20;
const PAUSE_MS = 10;

/** Kept from the garbage collector, which would close the file and with it give up the lock. */
const held = new Set<Database.Database>();

function take(database: Database.Database, path: string, holder: JsonObject): LockOutcome {
  held.add(database);
  writeHolder(path, holder);
  return {
    state: 'acquired',
    release() {
      if (!held.delete(database)) return;
      forgetHolder(path);
      end(database);
    },
  };
}

function open(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new Database(path);
  } catch (cause) {
    throw new NightmarkError('LOCK_FAILED', `The lock ${path} cannot be opened.`, {
      hint: 'Look whether its folder is there and may be written by you.',
      cause,
    });
  }
}

/** False when somebody else has it. */
function begin(database: Database.Database, path: string): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (cause) {
    const { code = '', message } = cause as { code?: string; message: string };
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return false;
    database.close();
    throw new NightmarkError('LOCK_FAILED', `The lock ${path} cannot be taken (${message}).`, {
      hint: 'Is the disk full or read-only? If no night is running the file may be deleted.',
      cause,
    });
  }
}

/** The driver may keep a closed file open for a while: the rollback is what frees the lock. */
function end(database: Database.Database): void {
  database.exec('ROLLBACK');
  database.close();
}
