import * as fs from 'node:fs';
import { join } from 'node:path';

/** Copies the content of a folder into another, links as links, modes kept. */
export function copyTree(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: true, preserveTimestamps: true });
}

/** Flushes every regular file below, then the folders. */
export function syncTree(dir: string): void {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) flush(path);
  }
  flush(dir);
}

function flush(path: string): void {
  let file: number;
  try {
    file = fs.openSync(path, 'r');
  } catch (error) {
    // A file nobody may read (mode 000) cannot be opened to be flushed, and one may have gone meanwhile.
    if (['EACCES', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw error;
  }
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
