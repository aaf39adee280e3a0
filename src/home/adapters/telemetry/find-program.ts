import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a shell would find the program; undefined when it would not. A name with a slash is a path. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : searchPath
        .split(delimiter)
        .filter((dir) => dir !== '')
        .map((dir) => join(dir, name));
  return candidates.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, not ours to run, or a loop of links: the next folder may have it
  }
}
