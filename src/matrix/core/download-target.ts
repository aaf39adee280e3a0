/**
 * The folder that downloaded files go to. Paths are relative and made of valid names.
 * 1. Nothing is written outside of the folder: a link, or a file where a folder should be, is DOWNLOAD_BLOCKED.
 * 2. A file gets its name when it is complete, and not before.
 * 3. An unfinished file is kept with its tag; the next opening, also in another process, continues it.
 */
export interface DownloadTarget {
  /** Size of a complete file; undefined when there is nothing. */
  sizeOf(path: string): Promise<number | undefined>;
  writeText(path: string, text: string): Promise<void>;
  openPart(path: string): Promise<PartialFile>;
}

export interface PartialFile {
  /** Bytes that are there already. */
  readonly size: number;
  readonly tag: string | undefined;
  /** Drops what is there; `tag` belongs to what comes now. */
  restart(tag: string | undefined): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name. */
  finish(): Promise<void>;
  /** Keeps an unfinished file for the next time. */
  close(): Promise<void>;
}
