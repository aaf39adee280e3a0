import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../../executors/core/executor.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { RepositoryState } from '../../core/source-control.ts';
import { type Git, openGit } from './git-command.ts';

/** What a folder has checked out; undefined outside of a repository and before its first commit. */
export async function describeRepository(
  executor: Executor,
  dir: string,
): Promise<RepositoryState | undefined> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const scratch = mkdtempSync(join(tmpdir(), 'nightmark-git-'));
  try {
    const logFile = join(scratch, 'log');
    const git = await openGit({ executor, logFile, env: processEnvironment(), signal: NEVER });
    return await readState(git, dir);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
    throw new NightmarkError('SOURCE_PULL_FAILED', `${dir} is in no git repository that could be pulled.`, {
      hint: 'Leave "pull" out of the schedule, or clone the repository.',
    });
  const pulled = await git.run(before.root, ['pull', '--ff-only', '--no-rebase']);
  if (!pulled.isOk)
    throw new NightmarkError(
      'SOURCE_PULL_FAILED',
      `${before.root} could not be pulled:\n${pulled.lastLines}`,
      {
        hint: `Only a fast-forward is done, nothing is merged. Look with "git -C ${before.root} status".`,
      },
    );
  return (await readState(git, before.root)) ?? before;
}

async function readState(git: Git, dir: string): Promise<RepositoryState | undefined> {
  const root = await git.ask(dir, ['rev-parse', '--show-toplevel']);
  const answer = await git.ask(dir, ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD']);
  const shortCommit = await git.ask(dir, ['rev-parse', '--short', 'HEAD']);
  if (!root || answer === undefined || shortCommit === undefined) return undefined;
  const [commit = '', branch = ''] = answer.split('\n');
  const changed = await git.ask(dir, ['status', '--porcelain', '--untracked-files=no']);
  return { root, commit, shortCommit, branch, dirty: changed !== '' };
}

export const NEVER: CancelSignal = { aborted: false, addEventListener() {}, removeEventListener() {} };

export function processEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
