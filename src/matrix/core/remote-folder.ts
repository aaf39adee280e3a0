import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Folders of files on a server. Contract (test/contracts/remotes.test.ts):
 * 1. `list` returns every entry of one folder, however many pages the server needs; a missing folder is an error.
 * 2. Names are returned as the server sends them, also hostile ones: the code that writes files checks them.
 * 3. `open` returns the bytes from the requested offset while the file has the tag, else from the start.
 * 4. An error that a retry may solve is DOWNLOAD_UNREACHABLE, every other DOWNLOAD_REFUSED or DOWNLOAD_NO_LISTING. When
 *    the server says how long to wait (Retry-After), the cause is a ServerBusy.
 * 5. Only the host of the address and allowed hosts are contacted (DOWNLOAD_OTHER_HOST).
 */
export interface RemoteFolders {
  readonly id: string;
  /** By the scheme of the address. */
  accepts(url: string): boolean;
  open(url: string, options: RemoteOptions): RemoteFolder;
}

export interface RemoteOptions {
  /** Hosts that may be contacted beside that of the address. */
  readonly allowedHosts: readonly string[];
  /** Address of an S3 server that is not Amazon's. */
  readonly endpoint?: string;
  /** Has keys and regions. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  /** Timeout for a server that sends nothing. */
  readonly idleMs?: number;
}

export interface RemoteFolder {
  /** Its listings may leave out names that begin with a dot, as those of nginx and Apache do; `open` finds them. */
  readonly hidesDotFiles: boolean;
  /** Path relative to the address; empty for itself. */
  list(path: string): Promise<readonly RemoteEntry[]>;
  open(path: string, resume?: Resume): Promise<RemoteFile>;
}

export interface RemoteEntry {
  readonly name: string;
  readonly type: 'file' | 'folder';
  /** In bytes, where the server reports it exactly. */
  readonly size?: number;
}

export interface Resume {
  readonly offset: number;
  readonly tag: string;
}

export interface RemoteFile {
  /** Of the first byte in `bytes`. */
  readonly offset: number;
  /** Of the whole file; absent when the server does not report it. */
  readonly size?: number;
  /** Changes when the content does; absent: reading cannot be resumed. */
  readonly tag?: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}
