import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Two versions of the user's repository, side by side, for a comparison.
 * Contract (test/contracts/version-pairs.test.ts):
 * 1. A is the requested commit; B is the working tree as it is: uncommitted changes and new files included, ignored
 *    ones not. Submodules that the user has are there on both sides.
 * 2. Nothing of the repository changes: checkout, index, stash, branches, worktrees, objects.
 * 3. Both are built by the same command, in folders whose paths have the same length; what was built before of the same
 *    content with the same command is used again.
 * 4. What cannot be compared is a NightmarkError (DUET_...): no repository, no such revision, no common ancestor, both
 *    the same, a failed build with its side and the end of its log.
 * 5. A cancel stops what was started; leftovers of a dead process do not disturb the next one, which removes them.
 */
export interface VersionPairs {
  preparePair(request: PairRequest, signal: CancelSignal): Promise<VersionPair>;
}

export interface PairRequest {
  /** Some folder of the repository. */
  readonly dir: string;
  /** What the working tree is compared with: anything that git takes as a revision. */
  readonly ref: string;
  /** merge-base: where the working tree and the revision diverged; ref: the revision itself. */
  readonly base: 'merge-base' | 'ref';
  readonly build?: PairBuild;
  /** Everything is written below it. */
  readonly cacheDir: string;
  readonly env: Readonly<Record<string, string>>;
  report(step: PairStep): void;
}

export interface PairBuild {
  /** Run by bash, or sh where there is none. */
  readonly command: string;
  /** Where: the root of the repository, or the folder that corresponds to `dir`. */
  readonly in: 'root' | 'dir';
  /** Build again what was built before. */
  readonly again: boolean;
}

export type PairStep =
  | { readonly step: 'waiting'; readonly owner: string }
  | { readonly step: 'found'; readonly A: Version; readonly B: Version }
  | { readonly step: 'building'; readonly side: Side; readonly version: Version; readonly logFile: string }
  | { readonly step: 'reused'; readonly side: Side; readonly version: Version };

/** One side of the pair. */
export interface Version {
  /** For the working tree: the commit that it is based on. */
  readonly commit: string;
  readonly shortCommit: string;
  /** When it was committed, ISO 8601. */
  readonly date: string;
  readonly subject: string;
  /** The content is not that of the commit. */
  readonly isChanged: boolean;
}

export interface VersionPair {
  /** The user's repository. */
  readonly root: string;
  /** From the root to the folder of the request; empty for the root. */
  readonly prefix: string;
  readonly sides: Readonly<Record<Side, PreparedVersion>>;
  /** Allows others to remove the folders. */
  release(): Promise<void>;
}

export interface PreparedVersion extends Version {
  /** The root of this version. */
  readonly dir: string;
}

/** One of the two compared versions: A is the baseline, B the candidate. */
export type Side = 'A' | 'B';
