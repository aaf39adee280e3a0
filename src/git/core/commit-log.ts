import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Source } from './source-control.ts';

/**
 * What lies between two commits of a source that was fetched before. Contract (test/contracts/commit-log.test.ts):
 * 1. Commits that `to` has and `from` has not, newest first, at most `limit`, and the count of all; the same for those
 *    that only `from` has.
 * 2. Undefined where the source was never fetched, or one of the commits is missing or ambiguous. Nothing is fetched
 *    and nothing in the cache changes.
 * 3. Names and hashes are untrusted text: an invalid one is treated as missing.
 * 4. The address has no user, no password and no token in it.
 */
export interface CommitLog {
  commitsBetween(range: CommitRange, signal: CancelSignal): Promise<CommitsBetween | undefined>;
}

/** Brings all branches and tags of a source; checks nothing out and builds nothing. A remote that does not answer is a NightmarkError (SOURCE_FETCH_FAILED). */
export interface SourceFetcher {
  fetch(request: FetchRequest, signal: CancelSignal): Promise<void>;
}

export interface FetchRequest {
  readonly source: Source;
  readonly cacheDir: string;
}

export interface CommitRange {
  /** Name of the source. */
  readonly source: string;
  /** Where prepare keeps all sources. */
  readonly cacheDir: string;
  /** Hashes; short ones are understood. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

export interface CommitsBetween {
  /** The whole hashes. */
  readonly from: string;
  readonly to: string;
  readonly added: CommitPart;
  readonly removed: CommitPart;
  /** Where the source is fetched from; absent where that is ambiguous. */
  readonly remote?: string;
}

export interface CommitPart {
  readonly count: number;
  readonly commits: readonly Commit[];
}

export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  /** When it was committed: milliseconds since 1970. */
  readonly at: number;
}
