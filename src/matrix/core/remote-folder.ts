import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Folders of files on a server. Contract (test/contracts/remotes.test.ts):
 * 1. `list` gives every entry of one folder, however many pages the server needs; a folder that is not there is an error.
 * 2. Names are handed on as the server says them, also hostile ones: whoever writes files has to judge them.
 * 3. `open` gives the bytes from the offset that was asked for when the file still has the tag, else from the start.
 * 4. What may go better at another try is DOWNLOAD_UNREACHABLE, everything else DOWNLOAD_REFUSED or DOWNLOAD_NO_LISTING. When
 *    the server says how long to wait (Retry-After), the cause is a ServerBusy.
 * 5. No host is asked but that of the address and those that are allowed (DOWNLOAD_OTHER_HOST).
 */
export interface RemoteFolders {
  readonly id: string;
  /** By the scheme of the address. */
  accepts(url: string): boolean;
  open(url: string, options: RemoteOptions): RemoteFolder;
}

export interface RemoteOptions {
  /** Hosts that may be asked beside that of the address. */
  readonly allowedHosts: readonly string[];
  /** Address of an S3 server that is not Amazon's. */
  readonly endpoint?: string;
  /** Where keys and regions are looked for. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  /** A server that says nothing for so long is given up. */
  readonly idleMs?: number;
}

export interface RemoteFolder {
  /** Its listings may leave out names that begin with a dot, though they can be opened: nginx and Apache do so. */
  readonly hidesDotFiles: boolean;
  /** Path relative to the address; empty for itself. */
  list(path: string): Promise<readonly RemoteEntry[]>;
  open(path: string, resume?: Resume): Promise<RemoteFile>;
}

export interface RemoteEntry {
  readonly name: string;
  readonly type: 'file' | 'folder';
  /** Where the server says it to the byte. */
  readonly size?: number;
}

export interface Resume {
  readonly offset: number;
  readonly tag: string;
}

export interface RemoteFile {
  /** Of the first byte that comes. */
  readonly offset: number;
  /** Of the whole file; absent when the server does not say. */
  readonly size?: number;
  /** Changes when the content does; absent: reading cannot be resumed. */
  readonly tag?: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}
