/** One file of a static site, before it is known whether it has to be written. */
export interface SiteFile {
  readonly path: string;
  /** Keeps its path: a page, a script, something that never changes. Other files are found through the site's map. */
  readonly isNamed: boolean;
  /** While this text stays the same the bytes do; it is much cheaper to make. Absent: the bytes are always looked at. */
  readonly stamp?: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Files of the same folder that are made together with it and change only when it does; each has a stamp of its own. */
  parts?(): Promise<readonly SiteFile[]>;
}

/** Folder by folder: all files of one come one after the other. */
export type SiteFiles = AsyncIterable<SiteFile>;
