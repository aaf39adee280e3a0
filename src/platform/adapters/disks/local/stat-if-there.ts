import * as fs from 'node:fs';
import { isMissing } from './failures.ts';

/** A file where a folder was expected on the way counts as nothing there. */
export function statIfThere(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
