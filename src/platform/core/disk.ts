/**
 * The disk. Contract (src/platform/adapters/local-disk/local-disk.test.ts):
 * 1. A write is whole or not there: readers never see half of a file, also after a crash.
 * 2. A missing file reads as undefined, a missing folder lists as empty; every other failure is a NightmarkError
 *    that names the path (DISK_FULL, DISK_DENIED, DISK_TOO_LARGE, DISK_ESCAPES, DISK_FAILED).
 * 3. Entries are listed sorted by name, byte by byte.
 * 4. With `within`, a file whose real place is outside that folder is refused (DISK_ESCAPES).
 * 5. copyTree and remove never follow symbolic links.
 * 6. readEnds reads no more of a file than requested, whatever its size.
 * 7. A file that is written piece by piece is under its name when it was finished, and not before.
 * 8. A device or a pipe is written into; it is never replaced by a file.
 * 9. readLineBlocks gives every line once and in order, whatever its length, without its end.
 * 10. readFrom returns what is there now from an offset on, and nothing beyond the requested bytes.
 */
export interface Disk {
  readText(path: string, options?: ReadOptions): Promise<string | undefined>;
  /** The beginning and the end of a text file of any size; undefined when it is missing. */
  readEnds(path: string, options: EndsOptions): Promise<FileEnds | undefined>;
  /** At most so many bytes from an offset on, of a file that may still grow; empty at its end, undefined when it is missing. */
  readFrom(path: string, offset: number, bytes: number): Promise<Uint8Array | undefined>;
  /**
   * The bytes of a file of any size, one piece after the other; undefined when it is missing. A piece is good until the
   * next one is read.
   */
  readChunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The lines of a UTF-8 text of any size, many at a time: for texts of our own, whose lines fit into memory. */
  readLineBlocks(path: string): Promise<AsyncIterable<readonly string[]> | undefined>;
  /** Creates parent folders. */
  writeText(path: string, text: string, options?: WriteOptions): Promise<void>;
  /** A picture, say. Creates parent folders. */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  list(dir: string): Promise<readonly DiskEntry[]>;
  /** Facts of what the path leads to, links followed; undefined when there is nothing. */
  stat(path: string): Promise<DiskFacts | undefined>;
  isExecutable(path: string): Promise<boolean>;
  realPath(path: string): Promise<string>;
  makeDir(path: string): Promise<void>;
  /** Removes a file or a whole tree; nothing there is fine. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Copies the content of folder `from` into folder `to`, links as links. */
  copyTree(from: string, to: string): Promise<void>;
  /** Brings files, and everything below folders, to the platter; what is gone is passed over. */
  sync(paths: readonly string[]): Promise<void>;
  /** Hash over names, executable bits and contents of the trees; equal content gives an equal hash anywhere. */
  fingerprint(roots: readonly string[], isIgnored: (name: string, path: string) => boolean): Promise<string>;
  /** A file too large to be held in memory. Creates parent folders. */
  openWriter(path: string): Promise<FileWriter>;
  /** Opens a file that only grows. */
  openJournal(path: string): Promise<JournalFile>;
}

export interface ReadOptions {
  readonly maxBytes?: number;
  readonly within?: string;
}

export interface EndsOptions {
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly within?: string;
}

export interface FileEnds {
  readonly head: string;
  /** Empty when the head is the whole file. */
  readonly tail: string;
  readonly size: number;
  /** Bytes between head and tail that were not read. */
  readonly leftOutBytes: number;
}

export interface WriteOptions {
  /** On the platter before the promise resolves. */
  readonly durable?: boolean;
  /** Where the unfinished file lies; beside the file by default. For folders that others read whole. */
  readonly staging?: string;
}

export interface DiskEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export interface DiskFacts {
  readonly type: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly modifiedAt: number;
  /** When content or attributes last changed; it cannot be set back. */
  readonly changedAt: number;
  readonly mode: number;
}

export interface FileWriter {
  write(text: string | Uint8Array): void;
  /** Puts the file under its name, in the place of one that was there. */
  finish(): void;
  /** Leaves no trace; does nothing after `finish`. */
  discard(): void;
}

export interface JournalFile {
  /** Survives the end of this process, in whatever way it comes. */
  append(text: string): void;
  /** What was appended survives a power cut when this returns. */
  flush(): void;
  close(): void;
}
