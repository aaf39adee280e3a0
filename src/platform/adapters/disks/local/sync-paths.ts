import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from './failures.ts';

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
