import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

/** Writes a file so that readers see all of it or nothing. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, content);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new NightmarkError('EXPORT_NOT_WRITTEN', `${path} could not be written: ${messageOf(cause)}`, {
      hint: 'Is there space left, and may you write there?',
      cause,
    });
  }
}
