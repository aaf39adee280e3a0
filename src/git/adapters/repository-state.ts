import { statSync } from 'node:fs';
import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { GitState, RepositoryState } from '../core/source-control.ts';
import { type Git, openGit, processEnvironment, withTemporaryGit } from './git-command.ts';

/** What a folder has checked out; undefined outside of a repository and before its first commit. */
export async function describeRepository(
  executor: Executor,
  dir: string,
): Promise<RepositoryState | undefined> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return withTemporaryGit({ executor }, (git) => readState(git, dir));
}

/** Fast-forwards the repository that holds the folder. */
export async function pullRepository(
  executor: Executor,
  dir: string,
  { logFile, signal }: { readonly logFile: string; readonly signal: CancelSignal },
): Promise<RepositoryState> {
  const git = await openGit({ executor, logFile, env: processEnvironment(), signal });
  const before = await describeRepository(executor, dir);
  if (!before)
    throw new NightmarkError(
      'SOURCE_PULL_FAILED',
      `${dir} is not in a git repository that could be pulled.`,
      {
        hint: 'Leave "pull" out of the schedule, or clone the repository.',
      },
    );
  const pulled = await git.run(before.root, ['pull', '--ff-only', '--no-rebase']);
  if (!pulled.isOk)
    throw new NightmarkError(
      'SOURCE_PULL_FAILED',
      `${before.root} could not be pulled:\n${pulled.lastLines}`,
      {
        hint: `Only a fast-forward is done, nothing is merged. See "git -C ${before.root} status".`,
      },
    );
  return (await readState(git, before.root)) ?? before;
}

async function readState(git: Git, dir: string): Promise<RepositoryState | undefined> {
  const root = await git.query(dir, ['rev-parse', '--show-toplevel']);
  const answer = await git.query(dir, ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD']);
  const shortCommit = await git.query(dir, ['rev-parse', '--short', 'HEAD']);
  if (!root || answer === undefined || shortCommit === undefined) return undefined;
  const [commit = '', branch = ''] = answer.split('\n');
  const changed = await git.query(dir, ['status', '--porcelain', '--untracked-files=no']);
  return { root, commit, shortCommit, branch, dirty: changed !== '' };
}

/** A longer diff is cut: it is there to be read, and the package has the files. */
const DIFF_LENGTH = 1024 * 1024;

/** Commit, author, remote and diff of the repository that holds a folder. */
export async function snapshotRepository(executor: Executor, dir: string): Promise<GitState | undefined> {
  const state = await describeRepository(executor, dir);
  if (!state) return undefined;
  return withTemporaryGit({ executor }, async (git) => {
    const { commit, branch, root, dirty: isDirty } = state;
    const shown = (await git.query(root, ['show', '-s', '--format=%an%x00%ae%x00%B', 'HEAD'])) ?? '';
    const [authorName = '', authorEmail = '', message = ''] = shown.split('\0');
    const remote = await remoteOf(git, root);
    const diff = isDirty ? await git.query(root, ['diff', '--no-color', '--no-ext-diff', 'HEAD']) : undefined;
    return {
      ...{ commit, authorName, authorEmail, message: message.trim(), isDirty },
      ...(branch !== 'HEAD' && { branch }),
      ...(remote !== undefined && { remote }),
      ...(diff !== undefined && { diff: diff.slice(0, DIFF_LENGTH) }),
    };
  });
}

/** The URL of the remote, without a password. */
async function remoteOf(git: Git, root: string): Promise<string | undefined> {
  const address = await git.query(root, ['config', '--get', 'remote.origin.url']);
  return address?.replace(/\/\/[^/@]*@/, '//');
}
