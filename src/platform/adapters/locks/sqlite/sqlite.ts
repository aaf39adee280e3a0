import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { NightmarkError } from '../../../core/errors.ts';
import type { LockOutcome, Locks } from '../../../core/lock.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { lockSqlite, type SqliteUse } from '../../sqlite.ts';
import { forgetHolder, readHolder, writeHolder } from './holder.ts';

/**
 * A lock is an SQLite file inside of an exclusive transaction: the kernel gives it up with the process, however
 * that ends. Who holds it is told by a JSON file beside it.
 */
const sqliteLocks: Locks = {
  async acquire(file, holder): Promise<LockOutcome> {
    const path = resolve(file);
    // A refusal without a holder is the moment before it writes down who it is, or somebody's look at the lock.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const release = lock(path);
      const known = readHolder(path);
      if (release && known.state !== 'alive') return take(release, path, holder);
      // POSIX drops a process's locks on a file when any of its descriptors of that file is closed, e.g. after a
      // backup read it. Such a holder is still alive and written down: it keeps the lock.
      release?.();
      if (known.state === 'alive' || (known.state === 'elsewhere' && !release)) {
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
  const release = lock(path);
  release?.();
  return release ? undefined : known.holder;
}

const ATTEMPTS = 20;
const PAUSE_MS = 10;
const LOCK: SqliteUse = {
  what: 'lock',
  codes: { failed: 'LOCK_FAILED' },
  hints: {
    cannotOpen: 'Look whether its folder is there and may be written by you.',
    damaged: 'If no night is running the file may be deleted.',
  },
};

/** Gives what releases it; undefined when somebody else has it. */
function lock(path: string): (() => void) | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new NightmarkError('LOCK_FAILED', `The folder of the lock ${path} cannot be made.`, {
      hint: 'Look at the folders above it, and whether you may write there.',
      cause,
    });
  }
  return lockSqlite(path, LOCK);
}

function take(release: () => void, path: string, holder: JsonObject): LockOutcome {
  writeHolder(path, holder);
  let isHeld = true;
  return {
    state: 'acquired',
    release() {
      if (!isHeld) return;
      isHeld = false;
      forgetHolder(path);
      release();
    },
  };
}

export default sqliteLocks;
