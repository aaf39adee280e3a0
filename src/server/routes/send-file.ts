import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { isInside } from '../../core/path.ts';
import { FILE_POLICY } from '../security-headers.ts';

export interface ServedFile {
  readonly path: string;
  /** The folder that the file must really be in, links followed. */
  readonly within: string;
  readonly type: string;
}

/** Streams a file; undefined when there is none, it is no regular file, or its real place is elsewhere. */
export async function sendFile(reply: FastifyReply, file: ServedFile): Promise<FastifyReply | undefined> {
  const handle = await openInside(file);
  if (!handle) return undefined;
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    return undefined;
  }
  reply
    .type(file.type)
    .header('content-length', facts.size)
    .header('content-security-policy', FILE_POLICY)
    .header('cache-control', 'no-cache')
    .header('last-modified', facts.mtime.toUTCString());
  // A file that grows meanwhile (a log) is sent as long as it was: the length is promised.
  return facts.size === 0
    ? handle.close().then(() => reply.send(''))
    : reply.send(handle.createReadStream({ end: facts.size - 1 }));
}

async function openInside({ path, within }: ServedFile): Promise<FileHandle | undefined> {
  try {
    const real = await realpath(path);
    if (!isInside(real, await realpath(within))) return undefined;
    // The real path has no link left to follow; a pipe in its place must not block.
    return await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG', 'ENXIO'].includes(code ?? ''))
      return undefined;
    throw error;
  }
}
