import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { PairBuild, Version } from './version-pairs.ts';

/**
 * The commits between two commits of a repository, and a built checkout of each.
 * Contract (test/contracts/commit-history.test.ts):
 * 1. A range holds each commit after its parents, the good one left out, the bad one last.
 * 2. Nothing of the repository changes: checkout, index, stash, branches, worktrees, objects.
 * 3. What was built in a workspace is used again there; another number is another checkout, built on its own, whose path
 *    has the same length. A workspace is removed when it is closed; one of a dead process
 *    when any workspace of the same repository is opened.
 * 4. A workspace that a running process holds is refused (BISECT_BUSY); others of the same repository are not.
 * 5. What cannot be searched is a NightmarkError: no repository or revision (DUET_...), the good commit is not an
 *    ancestor of the bad one (BISECT_NO_RANGE), a failed build (DUET_BUILD_FAILED).
 */
export interface CommitHistory {
  listRange(request: RangeRequest, signal: CancelSignal): Promise<CommitRange>;
  /** The git directory of the repository that holds a folder. */
  findGitDir(dir: string, env: Readonly<Record<string, string>>, signal: CancelSignal): Promise<string>;
  openWorkspace(request: WorkspaceRequest, signal: CancelSignal): Promise<CommitWorkspace>;
}

export interface RangeRequest {
  /** Some folder of the repository. */
  readonly dir: string;
  readonly good: string;
  readonly bad: string;
  /** first: a merge counts as one commit; all: also what was merged. */
  readonly parents: 'first' | 'all';
  /** Commits that touch one of these paths are marked. */
  readonly likelyPaths: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RangeCommit extends Version {
  readonly author: string;
  /** Hashes. */
  readonly parents: readonly string[];
  /** It touches one of the likely paths. */
  readonly isLikely: boolean;
}

export interface CommitRange {
  readonly root: string;
  /** From the root to the folder of the request; empty for the root. */
  readonly prefix: string;
  /** The URL of the remote "origin". */
  readonly remote?: string;
  readonly good: Version;
  readonly commits: readonly RangeCommit[];
}

export interface WorkspaceRequest {
  readonly dir: string;
  /** Names the workspace: the same name is the same workspace again. */
  readonly name: string;
  readonly build?: PairBuild;
  /** Everything is written below it. */
  readonly cacheDir: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface CommitWorkspace {
  /** For files that go with the workspace. */
  readonly dir: string;
  /** Whether this build of the commit is there. */
  has(version: Version, build: number): boolean;
  /** The root of a checkout of the commit, built; the first one stays, of others the last few do. */
  prepare(version: Version, build?: number): Promise<string>;
  /** Removes everything. */
  close(): Promise<void>;
}
