import * as fs from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack as tarPack } from 'tar-stream';
import type { PackReport, PackRequest } from '../../../core/archiver.ts';
import { NightmarkError } from '../../../core/errors.ts';
import { systemFailure } from './failures.ts';
import { removeLeftovers, temporaryName } from './leftovers.ts';
import { addTree } from './pack-tree.ts';

/** Writes beside, flushes, then gives the archive its name. */
export async function packFolder(request: PackRequest): Promise<PackReport> {
  const { file } = request;
  const root = request.root.replace(/(?<=.)\/+$/, '');
  refuseNoFolder(root);
  const temporary = temporaryName(file);
  try {
    await mkdir(dirname(file), { recursive: true });
    removeLeftovers(file);
    const output = await open(temporary, 'wx');
    let packed: Packed;
    try {
      packed = await writeArchive(output, { ...request, root }, temporary);
      await output.sync();
    } finally {
      await output.close();
    }
    await rename(temporary, file);
    await syncFolder(dirname(file));
    return { ...packed, bytes: fs.statSync(file).size };
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // the first failure is the one to tell
    throw systemFailure(file, error);
  }
}

type Packed = Omit<PackReport, 'bytes'>;

async function writeArchive(output: FileHandle, request: PackRequest, temporary: string): Promise<Packed> {
  const tar = tarPack();
  // Level 6 is gzip's own default, and what "tar -z" gives.
  const gzip = createGzip({ level: 6, chunkSize: BLOCK_BYTES });
  const size = { bytes: 0 };
  const written = pipeline(inBlocks(tar, size), gzip, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await output.appendFile(chunk);
  });
  const [added, drained] = await Promise.allSettled([
    addTree(tar, request, [request.file, temporary]).catch((error: unknown) => {
      tar.destroy(error as Error);
      throw error;
    }),
    written,
  ]);
  // A full disk ends both: what the reading side then says is only that its stream went away.
  if (added.status === 'rejected' && added.reason instanceof NightmarkError) throw added.reason;
  if (drained.status === 'rejected') throw drained.reason;
  if (added.status === 'rejected') throw added.reason;
  return { ...added.value, contentBytes: size.bytes };
}

const BLOCK_BYTES = 256 * 1024;

/** Small pieces together: each piece given to gzip costs a turn through the thread pool. Counts what goes through. */
async function* inBlocks(tar: Pack, size: { bytes: number }): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of tar as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    size.bytes += piece.byteLength;
    if (bytes < BLOCK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

function refuseNoFolder(root: string): void {
  const facts = fs.statSync(root, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return;
  throw new NightmarkError('ARCHIVE_MISSING', `${root} is ${facts ? 'no folder' : 'not there'}.`, {
    hint: 'Only folders are packed; check the path for a typing mistake.',
  });
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
