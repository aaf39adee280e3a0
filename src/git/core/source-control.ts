import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Repositories that are measured. Contract (test/contracts/sources.test.ts):
 * 1. `prepare` returns a checkout of exactly the commit that it names, built with the given command; a checkout of a
 *    commit that was built before is used again.
 * 2. A failed fetch, checkout or build is a NightmarkError (SOURCE_...) and the log says why; an older checkout is
 *    never used instead.
 * 3. Branches, tags and commits (also short ones) are understood, submodules included.
 * 4. Two processes may prepare the same source at once.
 * 5. `tip` is the commit that `prepare` would use now, without fetching or changing anything; a revision that is no
 *    ref of the repository is returned as it is.
 */
export interface SourceControl {
  prepare(request: SourceRequest, signal: CancelSignal): Promise<Checkout>;
  /** The newest commit of a source at its remote. */
  tip(source: Source, signal: CancelSignal): Promise<string>;
  /** What a folder has checked out; undefined outside of a repository. */
  describe(dir: string): Promise<RepositoryState | undefined>;
  /** Which code a folder has, so that it can be reproduced; undefined outside of a repository. */
  snapshot(dir: string): Promise<GitState | undefined>;
  /** Fast-forwards the repository that holds the folder. */
  pull(dir: string, logFile: string, signal: CancelSignal): Promise<RepositoryState>;
}

export interface SourceRequest {
  readonly source: Source;
  /** Everything of this source is written below it. */
  readonly cacheDir: string;
  readonly logFile: string;
  /** false: use the newest built checkout as it is (run --no-build). */
  readonly fetch: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export interface Checkout {
  readonly dir: string;
  readonly commit: string;
  readonly shortCommit: string;
}

export interface RepositoryState {
  readonly root: string;
  readonly commit: string;
  readonly shortCommit: string;
  readonly branch: string;
  readonly dirty: boolean;
}

/** A git repository that is fetched, checked out and built before the experiments that use it. */
export interface Source {
  readonly name: string;
  /** URL or path of the repository. */
  readonly git: string;
  /** Branch, tag or commit; absent: the default branch. */
  readonly ref?: string;
  readonly build?: string;
  readonly skipWhenUnchanged: boolean;
  /** Built checkouts kept in the cache. */
  readonly keep: number;
  /** Page of a commit: an address with {commit} in it. Absent: known hosts are recognised by their address. */
  readonly link?: string;
}

/** The repository that the code came from, as it was at submission. */
export interface GitState {
  readonly commit: string;
  readonly branch?: string;
  readonly remote?: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly message: string;
  readonly isDirty: boolean;
  /** Difference of tracked files to the commit, cut where it is too long. */
  readonly diff?: string;
}
