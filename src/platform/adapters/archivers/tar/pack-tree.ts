import * as fs from 'node:fs';
import type { Pack } from 'tar-stream';
import type { PackRequest } from '../../../core/archiver.ts';
import { refuseCancelled, systemFailure } from './failures.ts';
import { toHeader } from './headers.ts';
import { relativeTarget, whyLinkLeaves } from './links.ts';
import { addFile, entryName, type Note } from './pack-file.ts';
import { type Found, walkTree } from './walk.ts';

/** Adds everything below the root to the archive and finishes it. */
export async function addTree(
  tar: Pack,
  request: PackRequest,
  ownFiles: readonly string[],
): Promise<{ readonly entries: number; readonly notes: readonly string[] }> {
  const { root, isLeftOut = () => false, unreadable = 'fail', signal, file } = request;
  const notes: string[] = [];
  const onFailure = (place: string, error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') notes.push(`${place} went away while it was read.`);
    else if (unreadable === 'leave-out' && code !== undefined)
      notes.push(`${place} cannot be read (${code}).`);
    else throw systemFailure(place, error);
  };
  const isOurs = (path: string) => ownFiles.includes(`${root}/${path}`) || isLeftOut(path);

  let entries = 0;
  for (const found of walkTree(root, { isLeftOut: isOurs, onFailure })) {
    refuseCancelled(signal, file);
    try {
      const note = await add(tar, request, found);
      if (note !== undefined) notes.push(note.text);
      if (note?.isLeftOut !== true) entries++;
    } catch (error) {
      onFailure(found.place, error);
    }
  }
  tar.finalize();
  return { entries, notes };
}

async function add(tar: Pack, request: PackRequest, found: Found): Promise<Note | undefined> {
  const { facts, place } = found;
  const name = entryName(request, found);
  if (facts.isDirectory()) return addHeader(tar, toHeader({ name: `${name}/`, type: 'directory', facts }));
  if (facts.isFile()) return addFile(tar, request, found);
  if (!facts.isSymbolicLink()) return { text: `${place} is no file, folder or link.`, isLeftOut: true };

  let target = fs.readlinkSync(place);
  if (request.leavingLinks === 'leave-out') {
    target = relativeTarget(request.root, place, target);
    const reason = whyLinkLeaves(found.path, target);
    if (reason !== undefined) return { text: `${place} ${reason}.`, isLeftOut: true };
  }
  return addHeader(tar, toHeader({ name, type: 'symlink', facts, target }));
}

function addHeader(tar: Pack, header: ReturnType<typeof toHeader>): Promise<undefined> {
  return new Promise((resolve, reject) => {
    tar.entry(header, (error) => (error ? reject(error) : resolve(undefined)));
  });
}
