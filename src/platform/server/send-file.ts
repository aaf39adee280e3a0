import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isInside } from '../core/path.ts';
import { FILE_POLICY } from './security-headers.ts';

export interface ServedFile {
  readonly path: string;
  /** The folder that the file must really be in, links followed. */
  readonly within: string;
  /** How it is shown; undefined: it is offered for download. */
  readonly type: string | undefined;
  /** A part may be requested by "Range: bytes=0-99". Several parts are answered with the whole. */
  readonly hasParts?: boolean;
}

/** Streams a file; undefined when there is none, it is not a regular file, or its real place is elsewhere. */
export async function sendFile(reply: FastifyReply, file: ServedFile): Promise<FastifyReply | undefined> {
  const handle = await openInside(file);
  if (!handle) return undefined;
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    return undefined;
  }
  const { size } = facts;
  const tag = `W/"${size}-${facts.mtimeMs}"`;
  const modified = facts.mtime.toUTCString();
  const { range, 'if-range': wanted = modified } = reply.request.headers;
  // A part of what the file was before cannot be put together with one of what it is now.
  const requested = file.hasParts && wanted === modified ? range : undefined;
  const part = partOf(requested, size) ?? { start: 0, end: size - 1 };
  reply
    .type(file.type ?? 'application/octet-stream')
    .headers(file.type === undefined ? { 'content-disposition': 'attachment' } : {})
    .headers(file.hasParts ? { 'accept-ranges': 'bytes' } : {})
    .header('content-security-policy', FILE_POLICY)
    .header('cache-control', 'private, no-cache')
    .header('etag', tag)
    .header('last-modified', modified);
  if (requested === undefined && matchesTag(reply.request, tag)) {
    await handle.close();
    return reply.code(304).send();
  }
  if (part.start > part.end && size > 0) {
    await handle.close();
    return reply.code(416).header('content-range', `bytes */${size}`).send('');
  }
  reply.header('content-length', part.end - part.start + 1);
  if (part.end - part.start + 1 < size)
    reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  // A file that grows meanwhile (a log) is sent as long as it was: the length is promised.
  return size === 0 ? handle.close().then(() => reply.send('')) : reply.send(handle.createReadStream(part));
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Both ends included; an empty part when it lies behind the end of the file. */
function partOf(range: string | undefined, size: number): Part | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') return { start: Math.max(0, size - Number(to)), end: size - 1 };
  return { start: Number(from), end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
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

/** What is not listed is offered for download, never shown: no HTML of an experiment runs under our name. */
export const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  csv: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  yaml: 'text/plain; charset=utf-8',
  ndjson: 'text/plain; charset=utf-8',
};

/** How a file may be shown; undefined: not at all. */
export function shownType(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}

/** Whether the client has what is tagged so; they may name several. */
export function matchesTag({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  return known?.split(',').some((one) => one.trim() === tag) === true;
}
