import { readFile } from 'node:fs/promises';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

/** A file that the user named as the source of an import. */
export async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NightmarkError('EXPORT_NO_SOURCE', `${path} could not be read: ${messageOf(cause)}`, {
      hint: 'Look at the name behind --from; relative names begin at the working directory.',
      cause,
    });
  }
}
