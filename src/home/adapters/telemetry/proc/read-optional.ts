import { readFile } from 'node:fs/promises';

/**
 * The text of a kernel file, or undefined: kernels, containers and virtual machines differ in what they offer, some
 * files are there and cannot be read (EACCES, EIO, EOPNOTSUPP, EINVAL), and a CPU may go offline in between.
 */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
