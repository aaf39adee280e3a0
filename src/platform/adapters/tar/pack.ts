import * as fs from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack as tarPack } from 'tar-stream';
import type { PackReport, PackRequest } from '../../core/archiver.ts';
import { NightmarkError } from '../../core/errors.ts';
import { isInside } from '../../core/path.ts';
import { isRunning } from '../process-identity.ts';
import { addFile, entryName, type Note } from './pack-file.ts';
import { refuseCancelled, systemFailure } from './tar-failures.ts';
import { toHeader } from './tar-header.ts';
import { whyLinkLeaves } from './unpack-guard.ts';
import { type Found, walkTree } from './walk-tree.ts';

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
    await rm(temporary, { force: true }).catch(() => {}); // the first failure is the one to report
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
  // A full disk ends both: the reading side then reports only that its stream is closed.
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
  throw new NightmarkError('ARCHIVE_MISSING', `${root} is ${facts ? 'not a folder' : 'not there'}.`, {
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

/** Adds everything below the root to the archive and finishes it. */
async function addTree(
  tar: Pack,
  request: PackRequest,
  ownFiles: readonly string[],
): Promise<{ readonly entries: number; readonly notes: readonly string[] }> {
  const { root, isLeftOut = () => false, unreadable = 'fail', signal, file } = request;
  const notes: string[] = [];
  const onFailure = (place: string, error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') notes.push(`${place} disappeared while it was read.`);
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
  if (!facts.isSymbolicLink()) return { text: `${place} is not a file, folder or link.`, isLeftOut: true };

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

let packs = 0;

/** A name beside the archive that says who writes there. */
function temporaryName(file: string): string {
  return `${file}.${process.pid}-${packs++}.tmp`;
}

/** Removes what killed processes left of this very archive; those of living ones are theirs. */
function removeLeftovers(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of fs.readdirSync(dirname(file))) {
    const pid = name.startsWith(start) && /^(\d+)-\d+\.tmp$/.exec(name.slice(start.length))?.[1];
    if (pid && !isRunning(Number(pid))) fs.rmSync(join(dirname(file), name), { force: true });
  }
}

/** An absolute target inside the root as a relative one, so that it is right wherever the root is restored. */
export function relativeTarget(root: string, place: string, target: string): string {
  if (!target.startsWith('/') || target.includes('/../') || !isInside(target, root)) return target;
  return relative(place.slice(0, place.lastIndexOf('/')), target) || '.';
}
