/**
 * The folder into which foreign files come. Contract (test/contracts/landings.test.ts):
 * 1. Nothing is written outside of the folder: a link or a file where a folder should be is DOWNLOAD_BLOCKED.
 * 2. A file is under its name when it is complete, and not before.
 * 3. What came of an unfinished file is there again at the next opening, also in another process, with its tag.
 */
export interface Landings {
  readonly id: string;
  /** Absolute; made when the first file comes. */
  open(dir: string): Landing;
}

/** Paths are relative, of names that can be names. */
export interface Landing {
  /** Size of a complete file; undefined when there is nothing. */
  sizeOf(path: string): Promise<number | undefined>;
  writeText(path: string, text: string): Promise<void>;
  openPart(path: string): Promise<LandingPart>;
}

export interface LandingPart {
  /** Bytes that are there already. */
  readonly size: number;
  readonly tag: string | undefined;
  /** Forgets what is there; the tag of what comes now. */
  restart(tag: string | undefined): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** Puts the file under its name. */
  finish(): Promise<void>;
  /** What came stays for another time, unless it was finished. */
  close(): Promise<void>;
}
