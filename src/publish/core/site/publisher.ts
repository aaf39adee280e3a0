import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Locks } from '../../../platform/core/lock.ts';

/**
 * A place where a static site is kept. Contract (test/contracts/publishers.test.ts):
 * 1. What was put is there with its bytes after the commit, on every target the same; odd names included.
 * 2. `commit` writes its files in their order and after everything that was put: readers see the earlier site until then.
 * 3. A publication that ends in any other way than by its commit leaves the files of `commit` as they were, and the next one
 *    learns of it (`wasInterrupted`) where something may have been left behind.
 * 4. Of two publications at once the second is refused: when it begins (PUBLISH_BUSY), or at its commit (PUBLISH_CONFLICT).
 * 5. A place that holds other things is reported (`holdsOther`); what is not ours is never removed.
 * 6. Opening for `look` changes nothing.
 */
export interface Publisher {
  readonly id: string;
  readonly title: string;
  /** What stands before the target on the command line: dir:PATH. */
  readonly scheme: string;
  readonly capabilities: PublisherCapabilities;
  open(target: string, options: PublisherOptions): Promise<Publication>;
}

export interface PublisherCapabilities {
  /** Everything that was put appears at once, and not only what was committed. */
  readonly isWhole: boolean;
  readonly isRemote: boolean;
}

export interface PublisherOptions {
  /** `look`: for a dry run. */
  readonly mode: 'write' | 'look';
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** A folder of the target's own on this machine that outlives the publication: caches, unfinished files. */
  readonly workFolder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  readonly locks: Locks;
  readonly holder: PublicationHolder;
  now(): number;
}

/** Who publishes, for messages to others. */
export interface PublicationHolder {
  readonly id: string;
  readonly host: string;
  readonly processId: number;
}

export interface Publication {
  /** There are files, but no site. */
  readonly holdsOther: boolean;
  readonly wasInterrupted: boolean;
  /** A file of the site as text; undefined when it is not there. */
  read(path: string): Promise<string | undefined>;
  put(file: PutFile): Promise<void>;
  /** Nothing there is fine. */
  remove(paths: readonly string[]): Promise<void>;
  commit(files: readonly PutFile[]): Promise<void>;
  /** Paths of all files that are there. */
  list(): AsyncIterable<string>;
  /** Given up: without a commit, or with one and something undone behind it. */
  close(outcome: 'done' | 'given-up'): Promise<void>;
}

export interface PutFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  bytes(): AsyncIterable<Uint8Array>;
}
