/**
 * Archives of folders. Contract (test/contracts/archiver.ts):
 * 1. A packed tree unpacks to the same files, modes, links and folders.
 * 2. The archive appears under its name only when it is complete.
 * 3. An entry or link that would leave the folder is refused (ARCHIVE_ESCAPES) before anything is written.
 * 4. A damaged archive is an error (ARCHIVE_DAMAGED) that names the file.
 */
export interface Archiver {
  readonly id: string;
  pack(request: PackRequest): Promise<PackReport>;
  /** Reads the whole archive, so that damage is found, and lists its entries. */
  list(file: string): Promise<readonly ArchiveEntry[]>;
  /** Unpacks the entries below `prefix` into the folder. */
  unpack(file: string, request: UnpackRequest): Promise<number>;
}

export interface PackRequest {
  readonly file: string;
  /** Absolute folder; its entries are named by its absolute path without the leading slash. */
  readonly root: string;
  /** Path relative to root. A folder that is left out is not entered. */
  readonly isLeftOut?: (path: string) => boolean;
  /** Gives other content for a file, e.g. without its secrets; undefined keeps it. */
  readonly replace?: (path: string, text: () => string) => string | undefined;
}

export interface PackReport {
  readonly entries: number;
  readonly bytes: number;
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
  /** Sees each file's text before it is written, e.g. to put secrets back; undefined keeps it. */
  readonly replace?: (path: string, text: string) => string | undefined;
}
