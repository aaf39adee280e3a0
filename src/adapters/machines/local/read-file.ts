import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text of a file below the root; undefined when it is not there or not for us. */
export type ReadFile = (path: string, encoding?: 'utf8' | 'latin1') => string | undefined;

export function rootedReader(root: string): ReadFile {
  return (path, encoding = 'utf8') => {
    try {
      return readFileSync(join(root, path), encoding);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return undefined;
    }
  };
}
