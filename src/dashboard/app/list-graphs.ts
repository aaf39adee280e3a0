import { homeLayout } from '../../home/core/home-layout.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';

/** Pictures that an experiment drew in its last night, as paths relative to its graph folder. */
export interface GraphList {
  readonly files: readonly string[];
  /** True when there are more than are listed. */
  readonly isCut: boolean;
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg)$/i;
const MAX_FILES = 200;
const MAX_DEPTH = 5;

export async function listGraphs(home: string, experiment: string, disk: Disk): Promise<GraphList> {
  const root = homeLayout(home).graph(experiment);
  const files: string[] = [];
  const folders: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    for (const { name, type } of await disk.list(joinPath(root, folder.path))) {
      const path = joinPath(folder.path, name);
      // Links are not followed: one that leaves the folder would not be served anyway.
      if (type === 'folder' && folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1 });
      if (type !== 'file' || !PICTURE.test(name)) continue;
      if (files.length === MAX_FILES) return { files, isCut: true };
      files.push(path);
    }
  }
  return { files, isCut: false };
}
