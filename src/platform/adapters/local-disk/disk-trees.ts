import { spawnSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from './disk-failures.ts';

/** Copies the content of a folder into another, links as links, modes kept. */
export function copyTree(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: true });
}

/** Makes a folder and those above it. Node's own recursive mkdir never returns below /proc. */
export function makeDir(path: string): void {
  try {
    fs.mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && fs.statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path || fs.existsSync(dirname(path))) throw error;
    makeDir(dirname(path));
    makeDir(path);
  }
}

/** Removes whatever is there, links and not what they lead to. Half the system calls of Node's own. */
export function removeTree(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    if (code !== 'EISDIR' && code !== 'EPERM') throw error;
    removeFolder(path);
  }
}

function removeFolder(path: string): void {
  for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) removeFolder(below);
    else removeTree(below);
  }
  try {
    fs.rmdirSync(path);
  } catch (error) {
    if (isMissing(error)) return;
    // A process still writes into it: a stage that was just ended, for example. Node's own tries again for a while.
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
}

/** From here on one flush of the whole file system costs less than one of each file. */
const MANY = 32;

/** Flushes files, the folders they are in, and everything below folders. */
export function syncPaths(paths: readonly string[]): void {
  const found = new Set<string>();
  for (const path of paths) collect(path, found);
  for (const path of paths) found.add(dirname(path));
  if (found.size >= MANY && syncFileSystems(paths)) return;
  for (const path of found) flush(path);
}

function collect(path: string, found: Set<string>): void {
  const facts = lstatIfThere(path);
  if (facts?.isDirectory()) for (const name of fs.readdirSync(path)) collect(join(path, name), found);
  if (facts?.isDirectory() || facts?.isFile()) found.add(path);
}

function lstatIfThere(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** coreutils' sync knows the system call that Node does not offer. */
function syncFileSystems(paths: readonly string[]): boolean {
  const there = [...new Set(paths.map((path) => dirname(path)))].filter((path) => fs.existsSync(path));
  return (
    spawnSync('sync', ['-f', ...there.slice(0, 1000)], { stdio: 'ignore' }).status === 0 &&
    there.length <= 1000
  );
}

function flush(path: string): void {
  let file: number;
  try {
    file = fs.openSync(path, 'r');
  } catch (error) {
    // A file nobody may read (mode 000) cannot be opened to be flushed, and one may have gone meanwhile.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return;
    throw error;
  }
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** SHA-256 over the names, kinds, executable bits and contents of trees, in an order that is the same anywhere. */
export function fingerprint(
  roots: readonly string[],
  isIgnored: (name: string, path: string) => boolean,
): string {
  const hash = createHash('sha256');
  for (const root of roots) {
    hash.update('root\0');
    if (fs.existsSync(root)) addFolder(hash, root, '', isIgnored);
  }
  return hash.digest('hex');
}

function addFolder(
  hash: Hash,
  dir: string,
  prefix: string,
  isIgnored: (name: string, path: string) => boolean,
): void {
  const names = fs.readdirSync(dir).filter((name) => !isIgnored(name, `${prefix}${name}`));
  for (const name of names.sort()) {
    const path = join(dir, name);
    const facts = fs.lstatSync(path);
    const label = `${prefix}${name}`;
    if (facts.isDirectory()) addFolder(hash, path, `${label}/`, isIgnored);
    else if (facts.isSymbolicLink()) hash.update(`link\0${label}\0${fs.readlinkSync(path)}\0`);
    else if (facts.isFile())
      addFile(hash, path, `file\0${label}\0${facts.mode & 0o111 ? 'x' : '-'}\0${facts.size}\0`);
  }
}

/** In pieces, so that a file of any size costs one buffer. */
function addFile(hash: Hash, path: string, header: string): void {
  hash.update(header);
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const file = fs.openSync(path, 'r');
  try {
    for (let read = fs.readSync(file, buffer); read > 0; read = fs.readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    fs.closeSync(file);
  }
}
