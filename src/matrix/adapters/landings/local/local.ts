import type { Stats } from 'node:fs';
import { lstat, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Landing, Landings } from '../../../core/landing.ts';
import { blocked, explained } from './failures.ts';
import { openPart } from './part.ts';

/** A folder of this machine. */
const localLandings: Landings = {
  id: 'local',
  open: (dir) => createLanding(dir),
};

function createLanding(dir: string): Landing {
  return {
    sizeOf: (path) =>
      explained(join(dir, path), async () => {
        for (const folder of foldersOf(path)) {
          if (!(await folderFacts(join(dir, folder)))) return undefined;
        }
        const facts = await factsOf(join(dir, path));
        if (facts?.isFile() === false) throw blocked(join(dir, path), 'is no file');
        return facts?.size;
      }),

    writeText: (path, text) =>
      explained(join(dir, path), async () => {
        const file = await placeFor(dir, path);
        const draft = join(await makeFolders(dir, '.nightmark/parts/x'), `text-${process.pid}`);
        const handle = await open(draft, 'w');
        try {
          await handle.writeFile(text);
        } finally {
          await handle.close();
        }
        await rename(draft, file);
      }),

    openPart: (path) =>
      explained(join(dir, path), async () => {
        await placeFor(dir, path);
        const parts = await makeFolders(dir, '.nightmark/parts/x');
        return openPart({ path, parts, place: () => placeFor(dir, path) });
      }),
  };
}

/** Makes the folders above a file and looks that nothing else is in its place. */
async function placeFor(dir: string, path: string): Promise<string> {
  await makeFolders(dir, path);
  const file = join(dir, path);
  if ((await factsOf(file))?.isFile() === false) throw blocked(file, 'is no file');
  return file;
}

/** Component by component: a link on the way could lead anywhere. */
async function makeFolders(dir: string, path: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  for (const folder of foldersOf(path)) {
    const full = join(dir, folder);
    if (!(await folderFacts(full))) await mkdir(full).catch(unlessThere);
  }
  return dirname(join(dir, path));
}

/** Of several files that come at once, another one was first. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

async function folderFacts(path: string): Promise<Stats | undefined> {
  const facts = await factsOf(path);
  if (facts?.isDirectory() === false)
    throw blocked(path, facts.isSymbolicLink() ? 'is a link' : 'is no folder');
  return facts;
}

async function factsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export default localLandings;
