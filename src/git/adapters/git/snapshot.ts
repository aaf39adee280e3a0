import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../../executors/core/executor.ts';
import type { GitState } from '../../core/source-control.ts';
import { type Git, openGit } from './git-command.ts';
import { describeRepository, NEVER, processEnvironment } from './repository.ts';

/** A longer difference is cut: it is there to be read, and the package has the files. */
const DIFF_LENGTH = 1024 * 1024;

/** Commit, author, remote and difference of the repository that holds a folder. */
export async function snapshotRepository(executor: Executor, dir: string): Promise<GitState | undefined> {
  const state = await describeRepository(executor, dir);
  if (!state) return undefined;
  const scratch = mkdtempSync(join(tmpdir(), 'nightmark-git-'));
  try {
    const git = await openGit({
      ...{ executor, logFile: join(scratch, 'log'), env: processEnvironment(), signal: NEVER },
    });
    const { commit, branch, root, dirty: isDirty } = state;
    const shown = (await git.ask(root, ['show', '-s', '--format=%an%x00%ae%x00%B', 'HEAD'])) ?? '';
    const [authorName = '', authorEmail = '', message = ''] = shown.split('\0');
    const remote = await remoteOf(git, root);
    const diff = isDirty ? await git.ask(root, ['diff', '--no-color', '--no-ext-diff', 'HEAD']) : undefined;
    return {
      ...{ commit, authorName, authorEmail, message: message.trim(), isDirty },
      ...(branch !== 'HEAD' && { branch }),
      ...(remote !== undefined && { remote }),
      ...(diff !== undefined && { diff: diff.slice(0, DIFF_LENGTH) }),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Without a password that somebody put into the address. */
async function remoteOf(git: Git, root: string): Promise<string | undefined> {
  const address = await git.ask(root, ['config', '--get', 'remote.origin.url']);
  return address?.replace(/\/\/[^/@]*@/, '//');
}
