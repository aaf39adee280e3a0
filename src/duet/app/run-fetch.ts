import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { ResultsFolder } from './run-folder.ts';

export interface FetchRequest {
  readonly sandbox: Sandbox;
  readonly paths: readonly string[];
  /** The name of a result in the folder, by the path it comes from. */
  nameOf(path: string): string;
  readonly folder: ResultsFolder;
}

export interface Fetched {
  readonly fetched: readonly string[];
  readonly missing: readonly string[];
  /** Why, one sentence for each that is missing. */
  readonly reasons: readonly string[];
}

/** Brings the results of one side into the folder, each whole or not at all; one that is missing costs no other. */
export async function fetchResults(
  { sandbox, paths, nameOf, folder }: FetchRequest,
  disk: Disk,
): Promise<Fetched> {
  const fetched: string[] = [];
  const missing: string[] = [];
  const reasons: string[] = [];
  await disk.makeDir(folder.incoming);
  for (const path of paths) {
    const name = nameOf(path);
    const incoming = joinPath(folder.incoming, name);
    const target = joinPath(folder.dir, name);
    try {
      await disk.remove(incoming);
      await sandbox.fetch(path, incoming);
      await disk.sync([incoming]);
      await disk.remove(target);
      await disk.rename(incoming, target);
      fetched.push(name);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      missing.push(path);
      reasons.push(messageOf(error));
    }
  }
  return { fetched, missing, reasons };
}
