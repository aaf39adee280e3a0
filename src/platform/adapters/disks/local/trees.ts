import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from './failures.ts';

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
    // Somebody still writes into it: a stage that was ended a moment ago, say. Node's own tries again for a while.
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
}
