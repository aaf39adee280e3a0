import type { Workload } from '../../formats/core/kpi/workload.ts';
import { findFiles } from './find-files.ts';
import type { RecordedFolder } from './recorded-folder.ts';
import type { FileNote } from './test-files.ts';

export interface Artifacts {
  /** Folder of each artifact, relative to the test directory. */
  readonly folders: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly notes: readonly FileNote[];
}

/** Resolves the artifact folders of a workload: a folder of that very name, or the last one that matches. */
export async function findArtifacts(recorded: RecordedFolder, workload: Workload): Promise<Artifacts> {
  const folders: [string, string][] = [];
  const problems: string[] = [];
  const notes: FileNote[] = [];
  for (const [name, pattern] of Object.entries(workload.artifactFolders)) {
    const matches = await findFiles(recorded, pattern);
    const last = matches.at(-1);
    if (last === undefined) problems.push(`no folder matches "${pattern}" (artifact folder "${name}")`);
    else folders.push([name, last]);
    if (matches.length > 1) notes.push(ambiguous(pattern, matches));
  }
  return { folders: Object.fromEntries(folders), problems, notes };
}

function ambiguous(pattern: string, matches: readonly string[]): FileNote {
  const text = `${matches.length} folders match "${pattern}"; the last one is taken: ${matches.at(-1)}`;
  return { key: `ambiguous ${pattern}`, text };
}
