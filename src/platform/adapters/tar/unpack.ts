import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { UnpackRequest } from '../../core/archiver.ts';
import { type EntryContent, readEntries } from './read-archive.ts';
import { replaceText } from './replace-text.ts';
import { escapes, systemFailure } from './tar-failures.ts';
import { modifiedAt, ownerOf, type TarHeader } from './tar-header.ts';
import { type Admitted, Guard } from './unpack-guard.ts';

/**
 * Reads the archive twice: first to its end, to refuse what is damaged or would leave the folder before anything
 * is written, then to write. Returns how many entries were written.
 */
export async function unpackArchive(file: string, request: UnpackRequest): Promise<number> {
  const { into, prefix, signal } = request;
  const first = new Guard(file, prefix);
  let admitted = 0;
  await readEntries({ file, signal, onEntry: (header) => void (first.admit(header) && admitted++) });
  if (request.checkOnly) return admitted;
  refuseLinksInPlace(file, into, first.folders);

  const guard = new Guard(file, prefix);
  const folders: { readonly place: string; readonly header: TarHeader }[] = [];
  let written = 0;
  fs.mkdirSync(into, { recursive: true });
  await readEntries({
    file,
    signal,
    async onEntry(header, content) {
      const admitted = guard.admit(header);
      if (!admitted) return;
      const place = join(into, admitted.path);
      try {
        await write(admitted, { request, place, header, content });
      } catch (error) {
        throw systemFailure(place, error);
      }
      if (admitted.type === 'folder') folders.push({ place, header });
      written++;
    },
  });
  // Last and from the inside: a folder without write permission could not be filled, and filling sets its time.
  for (const { place, header } of folders.reverse()) setFacts(place, header, header.mode ?? 0o755);
  return written;
}

interface Writing {
  readonly request: UnpackRequest;
  readonly place: string;
  readonly header: TarHeader;
  readonly content: EntryContent;
}

async function write(admitted: Admitted, { request, place, header, content }: Writing): Promise<void> {
  makeFolder(admitted.type === 'folder' ? place : dirname(place));
  if (admitted.type === 'folder') return;
  if (fs.lstatSync(place, { throwIfNoEntry: false })) fs.unlinkSync(place);
  if (admitted.type === 'hardlink') return fs.linkSync(join(request.into, admitted.target), place);
  if (admitted.type === 'symlink') {
    fs.symlinkSync(admitted.target, place);
    fs.lutimesSync(place, modifiedAt(header), modifiedAt(header));
    const { uid, gid } = ownerOf(header);
    if (isRoot()) fs.lchownSync(place, uid, gid);
    return;
  }
  await writeContent({
    place,
    path: admitted.path,
    size: header.size ?? 0,
    content,
    replace: request.replace,
  });
  // Without set-user and set-group: nothing in a home needs them, and a hostile archive would.
  setFacts(place, header, (header.mode ?? 0o644) & 0o777);
}

/** Checking first is quicker than making what is there: most entries lie in a folder that came before them. */
function makeFolder(place: string): void {
  if (!fs.existsSync(place)) fs.mkdirSync(place, { recursive: true });
}

function setFacts(place: string, header: TarHeader, mode: number): void {
  const { uid, gid } = ownerOf(header);
  if (isRoot()) fs.chownSync(place, uid, gid);
  fs.chmodSync(place, mode & 0o7777);
  fs.utimesSync(place, modifiedAt(header), modifiedAt(header));
}

/** As tar: only root may give files away. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A link that is already in the folder leads out as well as one that comes with the archive. */
function refuseLinksInPlace(file: string, into: string, folders: readonly string[]): void {
  for (const folder of folders) {
    const facts = fs.lstatSync(join(into, folder), { throwIfNoEntry: false });
    if (facts && !facts.isDirectory() && folder !== '') {
      throw escapes(file, folder, `lies behind ${join(into, folder)}, which is not a folder`);
    }
  }
}

interface FileToWrite {
  readonly place: string;
  readonly path: string;
  readonly size: number;
  readonly content: EntryContent;
  readonly replace: UnpackRequest['replace'];
}

/** Texts that may be replaced are held in memory; everything larger only passes through. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

async function writeContent({ place, path, size, content, replace }: FileToWrite): Promise<void> {
  // Nobody else may read it before its own mode is set.
  const file = fs.openSync(place, 'wx', 0o600);
  try {
    if (replace && size <= MAX_TEXT_BYTES) {
      const pieces: Buffer[] = [];
      for await (const piece of content) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const replaced = replaceText(replace, path, { size: bytes.byteLength, bytes: () => bytes });
      fs.writeFileSync(file, replaced ?? bytes);
    } else {
      for await (const piece of content) fs.writeFileSync(file, piece);
    }
  } finally {
    fs.closeSync(file);
  }
}
