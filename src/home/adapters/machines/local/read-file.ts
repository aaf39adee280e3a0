import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of a file below the root; undefined when it is not there or not for us. */
export type ReadFile = (path: string) => string | undefined;
export type ReadBytes = (path: string) => Buffer | undefined;

export function rootedReader(root: string): ReadFile {
  const readBytes = rootedBytes(root);
  return (path) => readBytes(path)?.toString('utf8');
}

export function rootedBytes(root: string): ReadBytes {
  return (path) => {
    try {
      return readFileSync(join(root, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return undefined;
    }
  };
}

/** Sorted names in a folder below the root; none when it is not there. */
export function rootedLister(root: string): (dir: string) => readonly string[] {
  return (dir) => {
    try {
      return readdirSync(join(root, dir)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return [];
    }
  };
}
