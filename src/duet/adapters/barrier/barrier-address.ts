import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

/** Where parties of a name meet. Socket paths may have 107 bytes: the name goes in as a hash. */
export function addressOf(dir: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 24);
  return join(dir, `${hash}.sock`);
}

/** The same for all processes of a user, whatever their environment says of temporary files. */
export function usersFolder(): string {
  return `/tmp/nightmark-${process.getuid?.() ?? 0}/barriers`;
}

/** A path for a socket before it has its name. */
export function ownPath(dir: string): string {
  return join(dir, `${process.pid}-${randomBytes(4).toString('hex')}.new`);
}

/** Sockets of those who died before they could give them a name. */
function removeUnnamed(dir: string): void {
  for (const name of fs.readdirSync(dir)) {
    const [, pid] = /^(\d+)-[0-9a-f]+\.new$/.exec(name) ?? [];
    if (pid !== undefined && !isThere(Number(pid))) fs.rmSync(join(dir, name), { force: true });
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes the folder for this user alone; one that another user has put there is refused. */
export function prepareFolder(dir: string): void {
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.statSync(dir);
    if (uid === process.getuid?.() && (mode & 0o022) === 0) {
      removeUnnamed(dir);
      return;
    }
  } catch (error) {
    throw refuse(dir, messageOf(error));
  }
  throw refuse(dir, 'others may write to it');
}

/** Gives a listening socket its name; false when it is taken. */
export function takeName(own: string, address: string): boolean {
  try {
    fs.linkSync(own, address);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw refuse(address, messageOf(error));
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** What is at an address, to distinguish it from what comes there later. */
export function markOf(address: string): string | undefined {
  const facts = fs.statSync(address, { bigint: true, throwIfNoEntry: false });
  return facts && `${facts.ino} ${facts.ctimeNs}`;
}

/** Removes the socket of a dead process, but nothing that came there since `mark` was taken. */
export function removeDead(dir: string, address: string, mark: string | undefined): void {
  if (mark === undefined || markOf(address) !== mark) return;
  const aside = ownPath(dir);
  try {
    // Of several that do this, one gets it.
    fs.renameSync(address, aside);
    fs.rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw refuse(address, messageOf(error));
  }
}

export function removeName(address: string): void {
  fs.rmSync(address, { force: true });
}

function refuse(path: string, why: string): NightmarkError {
  return new NightmarkError('BARRIER_FOLDER', `The folder of barriers cannot be used: ${path}: ${why}.`, {
    hint: 'NIGHTMARK_BARRIER_DIR names another one; it must belong to you alone.',
  });
}
