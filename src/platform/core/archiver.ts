import type { CancelSignal } from './cancel-signal.ts';

/**
 * Archives of folders. Contract (test/contracts/archivers.test.ts):
 * 1. A packed tree unpacks to the same files, modes, links and folders; entries are sorted by name, folders end in "/".
 * 2. The archive appears under its name only when it is complete.
 * 3. An entry or link that would leave the folder is refused (ARCHIVE_ESCAPES) before anything is written.
 * 4. A damaged archive is an error (ARCHIVE_DAMAGED) that names the file.
 * 5. The archive holds exactly what the report says: reading it back gives the same number of bytes.
 * 6. What cannot be packed is an error that names it, or is noted in the report; nothing is left out silently.
 */
export interface Archiver {
  pack(request: PackRequest): Promise<PackReport>;
  /** Reads the whole archive, so that damage is found, and lists its entries. */
  list(file: string, signal?: CancelSignal): Promise<readonly ArchiveEntry[]>;
  /** Reads the whole archive, so that damage is found; the bytes that were packed into it. Much quicker than a list. */
  contentBytes(file: string, signal?: CancelSignal): Promise<number>;
  /** Unpacks the entries below `prefix` into the folder. */
  unpack(file: string, request: UnpackRequest): Promise<number>;
}

export interface PackRequest {
  readonly file: string;
  /** Absolute folder; its entries are named by its absolute path without the leading slash. */
  readonly root: string;
  /** Entries are named by this in the place of the absolute path of root, so that equal trees give equal names. */
  readonly name?: string;
  /** Path relative to root. A folder that is left out is not entered. */
  readonly isLeftOut?: (path: string) => boolean;
  /** Gives other content for a file, e.g. without its secrets; undefined keeps it. Size in bytes: check it before reading. */
  readonly replace?: (path: string, text: () => string, size: number) => string | undefined;
  /** Links that lead out of root: kept as they are (default), or left out with a note, so that unpack takes the archive. */
  readonly leavingLinks?: 'keep' | 'leave-out';
  /** Files and folders nobody may read: an error that names them (default), or left out with a note. */
  readonly unreadable?: 'fail' | 'leave-out';
  readonly signal?: CancelSignal;
}

export interface PackReport {
  readonly entries: number;
  /** Size of the archive. */
  readonly bytes: number;
  /** Size before compression: what `contentBytes` gives for it. */
  readonly contentBytes: number;
  /** What is not in the archive as it is on disk, and why, one sentence each. */
  readonly notes?: readonly string[];
}

export interface ArchiveEntry {
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  readonly linkTarget?: string;
}

export interface UnpackRequest {
  readonly into: string;
  readonly prefix: string;
  /** Gives other content for a file before it is written, e.g. to put secrets back; undefined keeps it. Not called for files beyond 64 MiB. */
  readonly replace?: (path: string, text: () => string, size: number) => string | undefined;
  /** Only find out whether it could be unpacked; writes nothing. */
  readonly checkOnly?: boolean;
  readonly signal?: CancelSignal;
}
