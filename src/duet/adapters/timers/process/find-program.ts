import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

export type Found =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'missing'; readonly reason: string };

/** Where the program lies, as execvp would find it: so that a shell does not take `true` or `echo` for its own. */
export function findProgram(name: string, cwd: string, path: string | undefined): Found {
  if (!isFolder(cwd)) return { state: 'missing', reason: `the folder ${cwd} does not exist` };
  if (name.includes('/')) {
    const file = resolve(cwd, name);
    return isProgram(file)
      ? { state: 'found', path: file }
      : missing(name, 'no such program, or not executable');
  }
  for (const folder of (path ?? '').split(delimiter)) {
    const file = resolve(cwd, folder, name);
    if (isProgram(file)) return { state: 'found', path: file };
  }
  return missing(name, 'not found in PATH');
}

function missing(name: string, why: string): Found {
  return { state: 'missing', reason: `${name}: ${why}` };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
