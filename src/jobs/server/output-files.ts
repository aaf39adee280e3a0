import { realpath } from 'node:fs/promises';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, joinPath, resolvePath, whyInvalidName } from '../../platform/core/path.ts';
import type { Job } from '../core/job.ts';
import type { Budget } from './budget.ts';

/** A larger file is fetched by its address instead. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024;
/** Most that a listing of files has, and how deep it goes. */
const MOST_LISTED = 500;
const DEEPEST = 4;

/** The folder of a job, links followed; undefined when there is none, or it is not really in the folder of results. */
export async function outputFolder(
  { outputDir }: Pick<Job, 'outputDir'>,
  results: string,
): Promise<string | undefined> {
  if (outputDir === undefined) return undefined;
  const folder = resolvePath(results, outputDir);
  if (!isInside(folder, results) || folder === results) return undefined;
  try {
    const [real, realResults] = [await realpath(folder), await realpath(results)];
    return isInside(real, realResults) && real !== realResults ? real : undefined;
  } catch {
    return undefined; // it was removed, or never made
  }
}

/** Whether a path can only mean something below the folder that it is joined to. */
export function isProperPath(path: string): boolean {
  return path.split('/').every((name) => whyInvalidName(name) === undefined);
}

/** The text of a file of a job; undefined when there is none. */
export async function outputText(
  job: Pick<Job, 'outputDir'>,
  path: string,
  { results, disk, budget }: { readonly results: string; readonly disk: Disk; readonly budget: Budget },
): Promise<string | undefined> {
  const within = isProperPath(path) ? await outputFolder(job, results) : undefined;
  if (within === undefined) return undefined;
  const file = joinPath(within, path);
  try {
    const facts = await disk.stat(file);
    if (facts?.type !== 'file') return undefined;
    budget.take('bytes', Math.min(facts.size, MOST_TEXT_BYTES));
    return await disk.readText(file, { maxBytes: MOST_TEXT_BYTES, within });
  } catch (error) {
    // A link that leads out is as if it were not there.
    if (error instanceof NightmarkError && error.code === 'DISK_ESCAPES') return undefined;
    throw error;
  }
}

export interface ListedFile {
  /** Below the folder of the job. */
  readonly path: string;
  readonly bytes: number;
}

export interface FileListing {
  readonly files: readonly ListedFile[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

/** Files of a job by path, without its code; links are not followed. */
export async function listFiles(
  job: Pick<Job, 'outputDir'>,
  results: string,
  disk: Disk,
): Promise<FileListing> {
  const folder = await outputFolder(job, results);
  const files: ListedFile[] = [];
  let isCut = false;
  const visit = async (below: string, depth: number): Promise<void> => {
    for (const { name, type } of await disk.list(joinPath(folder ?? '', below))) {
      if (files.length >= MOST_LISTED || depth > DEEPEST) isCut = true;
      if (isCut) return;
      const path = joinPath(below, name);
      if (type === 'folder' && path !== 'code') await visit(path, depth + 1);
      if (type !== 'file') continue;
      const facts = await disk.stat(joinPath(folder ?? '', path));
      if (facts) files.push({ path, bytes: facts.size });
    }
  };
  if (folder !== undefined) await visit('', 0);
  return { files, isCut };
}
