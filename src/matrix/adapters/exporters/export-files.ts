import { readFile } from 'node:fs/promises';
import { writeWhole } from '../../../platform/adapters/local-disk/disk-write.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

/** Writes a file so that readers see either all of it or nothing. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  try {
    writeWhole(path, content, {});
  } catch (cause) {
    throw new NightmarkError('EXPORT_NOT_WRITTEN', `${path} could not be written: ${messageOf(cause)}`, {
      hint: 'Is there space left, and may you write there?',
      cause,
    });
  }
}

/** A file that the user named as the source of an import. */
export async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NightmarkError('EXPORT_NO_SOURCE', `${path} could not be read: ${messageOf(cause)}`, {
      hint: 'Check --from; a relative path starts at the working directory.',
      cause,
    });
  }
}
