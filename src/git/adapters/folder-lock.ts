import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
  processLife,
} from '../../platform/adapters/process-identity.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/**
 * Runs the work while only this process holds the folder `lock`. The folder is renamed into place with its owner
 * inside, so a lock always has an owner. A dead owner's lock is renamed to a name made of the owner's token: of two
 * processes that take it over only one succeeds, and neither can take the lock of a new owner.
 */
export async function withFolderLock<T>(
  lock: string,
  { signal, onWait }: { readonly signal: CancelSignal; onWait(owner: string): void },
  work: () => Promise<T>,
): Promise<T> {
  const token = await acquire(lock, signal, onWait);
  const heartbeat = setInterval(() => touch(join(lock, OWNER)), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    // After minutes without a heartbeat another machine may have taken it over.
    if (readOwner(lock)?.token === token) discard(lock, `${lock}.released-${token}`);
  }
}

interface Owner extends ProcessIdentity {
  readonly token: string;
}

const OWNER = 'owner.json';
const POLL_MS = 100;
const HEARTBEAT_MS = 20_000;
/** For owners on other machines, whose processes we cannot see: six missed heartbeats. */
const SILENCE_MS = 120_000;

async function acquire(lock: string, signal: CancelSignal, onWait: (owner: string) => void): Promise<string> {
  const token = randomBytes(8).toString('hex');
  mkdirSync(dirname(lock), { recursive: true });
  let last = { heartbeat: 0, since: performance.now() };
  let isReported = false;
  while (!tryAcquire(lock, token)) {
    const owner = readOwner(lock);
    if (owner) {
      const heartbeat = changedAt(join(lock, OWNER));
      if (heartbeat !== last.heartbeat) last = { heartbeat, since: performance.now() };
      const life = processLife(owner);
      const isSilent = life === 'unknown' && performance.now() - last.since > SILENCE_MS;
      if (life === 'dead' || isSilent) {
        retireDeadLock(lock, owner);
        continue;
      }
      if (!isReported) onWait(`process ${owner.pid} on ${owner.host}`);
      isReported = true;
    }
    if (signal.aborted)
      throw new NightmarkError('SOURCE_INTERRUPTED', 'Waiting for another process was interrupted.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return token;
}

function tryAcquire(lock: string, token: string): boolean {
  const prepared = `${lock}.new-${token}`;
  mkdirSync(prepared);
  writeFileSync(join(prepared, OWNER), JSON.stringify({ ...ownIdentity(), token } satisfies Owner));
  try {
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** The renamed folder stays for an hour: meanwhile a slower process cannot retire the same owner's lock again. */
function retireDeadLock(lock: string, owner: Owner): void {
  const remains = `${lock}.dead-${owner.token}`;
  try {
    renameSync(lock, remains);
  } catch {
    return; // another process was faster
  }
  touch(remains);
  for (const name of readdirSync(dirname(lock))) {
    const path = join(dirname(lock), name);
    const isOurs = /^\.(dead|new|released)-/.test(name.slice(basename(lock).length)) && path !== remains;
    if (isOurs && name.startsWith(basename(lock)) && Date.now() - changedAt(path) > 3_600_000)
      rmSync(path, { recursive: true, force: true });
  }
}

function discard(lock: string, name: string): void {
  try {
    renameSync(lock, name);
  } catch {
    return; // the whole cache was removed meanwhile
  }
  rmSync(name, { recursive: true, force: true });
}

function readOwner(lock: string): Owner | undefined {
  try {
    const text = readFileSync(join(lock, OWNER), 'utf8');
    const identity = parseIdentity(text);
    const { token } = JSON.parse(text) as { token?: unknown };
    return identity && typeof token === 'string' && /^[0-9a-f]+$/.test(token)
      ? { ...identity, token }
      : undefined;
  } catch {
    return undefined; // released meanwhile
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Removed by hand: the work itself will fail where that matters.
  }
}
