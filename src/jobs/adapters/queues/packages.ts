import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JobQueue } from '../../core/job-queue.ts';

/** Where packages lie; which of them are needed the queue knows. */
export interface Packages extends Pick<JobQueue, 'savePackage' | 'hasPackage' | 'package'> {
  /** Hashes of those that nobody saved since. */
  unsavedSince(moment: number): Promise<readonly string[]>;
  /** False when somebody saved it again meanwhile. */
  remove(hash: string, unsavedSince: number): Promise<boolean>;
}

/** A hash names files and rows: nothing else is taken for one. */
export function checkHash(hash: string): string {
  if (/^[0-9a-f]{8,128}$/.test(hash)) return hash;
  throw new NightmarkError('JOBS_BAD_HASH', `${JSON.stringify(hash)} cannot be the hash of a package.`, {
    hint: 'A hash has 8 to 128 digits out of 0-9 and a-f.',
  });
}
