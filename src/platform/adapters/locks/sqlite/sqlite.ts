import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { NightmarkError } from '../../../core/errors.ts';
import type { LockOutcome, Locks } from '../../../core/lock.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { lockSqlite, type SqliteUse } from '../../sqlite.ts';

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

/** Who wrote itself down as the holder, and what can be known about it from here. */
export type RecordedHolder =
  | { readonly state: 'alive' | 'elsewhere'; readonly holder: JsonObject }
  | { readonly state: 'gone' };

function readHolder(file: string): RecordedHolder {
  const facts = readRecord(`${file}.json`);
  if (facts === undefined) return { state: 'gone' };
  const state = stateOf(facts.process);
  return state === 'gone' ? { state } : { state, holder: facts.holder };
}

/** Whole or not there, also for a reader in the same moment. */
function writeHolder(file: string, holder: JsonObject): void {
  const facts: HolderRecord = { holder, process: ownProcess() };
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(facts)}\n`);
  renameSync(temporary, `${file}.json`);
}

function forgetHolder(file: string): void {
  rmSync(`${file}.json`, { force: true });
}

interface HolderRecord {
  readonly holder: JsonObject;
  readonly process: ProcessFacts;
}

/** Enough to tell a living process from a later one that was given the same number. */
interface ProcessFacts {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly startedAt: string;
}

function readRecord(path: string): HolderRecord | undefined {
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as Partial<HolderRecord> | null;
    const isWhole =
      typeof facts?.holder === 'object' && facts.holder !== null && typeof facts.process?.pid === 'number';
    return isWhole ? (facts as HolderRecord) : undefined;
  } catch {
    // Missing or garbled: then nobody can be named. The lock itself does not depend on this file.
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Clock ticks since boot at which the process began; empty where there is no /proc. */
function processStart(pid: number): string {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold anything; the start is the 22nd.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
