import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { NightmarkError } from '../core/errors.ts';
import type { LockOutcome, Locks } from '../core/lock.ts';
import type { JsonObject } from '../core/text/json.ts';
import { bootId, isRunning, readProcessStat } from './process-identity.ts';
import { lockSqlite, type SqliteUse } from './sqlite.ts';

/**
 * A lock is an SQLite file inside of an exclusive transaction: the kernel gives it up with the process, however
 * that ends. A JSON file beside it names the holder. Needs a file system with POSIX locks: any local one, NFS from version 4.
 * The process that holds it must not read the lock file itself: POSIX then drops the lock.
 */
export const fileLocks: Locks = {
  async acquire(file, holder): Promise<LockOutcome> {
    const path = resolve(file);
    // A refusal without a holder: it has not recorded itself yet, or somebody only checks the lock.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const release = lock(path);
      const known = readHolder(path);
      if (release && known.state !== 'alive') return take(release, path, holder);
      // POSIX drops a process's locks on a file when any of its descriptors of that file is closed, e.g. after a
      // backup read it. Such a holder is still alive and recorded: it keeps the lock.
      release?.();
      if (known.state === 'alive' || (known.state === 'elsewhere' && !release)) {
        return { state: 'held', holder: known.holder };
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return { state: 'held', holder: {} };
  },
};

/** What the holder of the lock recorded about itself; undefined when nobody holds it. For those who only check. */
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
    cannotOpen: 'Check that its folder exists and that you may write to it.',
    damaged: 'If no night is running the file may be deleted.',
  },
};

/** Returns what releases it; undefined when somebody else has it. */
function lock(path: string): (() => void) | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new NightmarkError('LOCK_FAILED', `The folder of the lock ${path} cannot be made.`, {
      hint: 'Check the folders above it, and whether you may write there.',
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
      removeHolder(path);
      release();
    },
  };
}

/** Who recorded itself as the holder, and whether it lives. */
type RecordedHolder =
  | { readonly state: 'alive' | 'elsewhere'; readonly holder: JsonObject }
  | { readonly state: 'gone' };

function readHolder(file: string): RecordedHolder {
  const record = readRecord(`${file}.json`);
  if (record === undefined) return { state: 'gone' };
  const state = stateOf(record.process);
  return state === 'gone' ? { state } : { state, holder: record.holder };
}

/** Atomic: a reader sees all of it or nothing. */
function writeHolder(file: string, holder: JsonObject): void {
  const record: HolderRecord = { holder, process: ownProcess() };
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(record)}\n`);
  renameSync(temporary, `${file}.json`);
}

function removeHolder(file: string): void {
  rmSync(`${file}.json`, { force: true });
}

interface HolderRecord {
  readonly holder: JsonObject;
  readonly process: ProcessFacts;
}

/** Distinguishes a living process from a later one that was given the same number. */
interface ProcessFacts {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly startedAt: string;
}

function readRecord(path: string): HolderRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as Partial<HolderRecord> | null;
    const isWhole =
      typeof record?.holder === 'object' && record.holder !== null && typeof record.process?.pid === 'number';
    return isWhole ? (record as HolderRecord) : undefined;
  } catch {
    // Missing or damaged: nobody can be named. The lock itself does not depend on this file.
    return undefined;
  }
}

function ownProcess(): ProcessFacts {
  return { host: hostname(), boot: bootId(), pid: process.pid, startedAt: processStart(process.pid) };
}

function stateOf({ host, boot, pid, startedAt }: ProcessFacts): RecordedHolder['state'] {
  // Another machine on a shared disk, or another container: its processes cannot be seen from here.
  if (host !== hostname()) return 'elsewhere';
  return boot === bootId() && isRunning(pid) && startedAt === processStart(pid) ? 'alive' : 'gone';
}

/** Empty where there is no /proc. */
function processStart(pid: number): string {
  return readProcessStat(pid)?.startTicks ?? '';
}
