import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Source } from '../core/source-control.ts';
import { readRecord, removeTree } from './checkout-cache.ts';
import type { Git } from './git-command.ts';
import type { Revision } from './mirror.ts';
import type { CommandResult } from './shell.ts';

/** An independent clone of the mirror at the revision. It appears under its name when it is complete. */
export async function makeCheckout(
  git: Git,
  source: Source,
  { mirror, dir, revision }: { mirror: string; dir: string; revision: Revision },
): Promise<void> {
  const temporary = join(dirname(dir), `.tmp-checkout-${process.pid}-${Date.now()}`);
  const step = async (cwd: string, ...args: string[]) => requireOk(source, await git.run(cwd, args));
  try {
    // Local clones link the objects: cheap, and whole whatever happens to the mirror.
    await step(
      dirname(dir),
      'clone',
      '--quiet',
      '--local',
      '--no-checkout',
      '--template=',
      mirror,
      temporary,
    );
    await step(temporary, 'remote', 'set-url', 'origin', source.git);
    await step(temporary, 'checkout', '--quiet', ...target(revision));
    if (revision.branch !== undefined) await git.run(temporary, upstream(revision.branch));
    if (existsSync(join(temporary, '.gitmodules'))) {
      await step(temporary, 'submodule', '--quiet', 'sync', '--recursive');
      requireOk(source, await git.run(temporary, SUBMODULES), 'SOURCE_FETCH_FAILED');
    }
    await removeTree(dir, git.shell);
    renameSync(temporary, dir);
  } finally {
    await removeTree(temporary, git.shell);
  }
}

/** True when the folder is still what was built: the same commit, and tracked files unchanged since. */
export async function isIntact(git: Git, dir: string, commit: string): Promise<boolean> {
  const record = readRecord(dir);
  if (record?.state !== 'built' || !existsSync(join(dir, '.git'))) return false;
  const isThere = (await git.query(dir, ['rev-parse', 'HEAD'])) === commit;
  return isThere && (await changesIn(git, dir)) === record.changes;
}

/** Old scripts read the name of the branch; a checkout that two branches share shows the requested one. */
export async function showBranch(git: Git, dir: string, revision: Revision): Promise<void> {
  if ((await git.query(dir, ['rev-parse', '--abbrev-ref', 'HEAD'])) === (revision.branch ?? 'HEAD')) return;
  await git.run(dir, ['checkout', '--quiet', ...target(revision)]);
}

/** Hash of all changes to tracked files, those in submodules included; what a build adds does not count. */
export async function changesIn(git: Git, dir: string): Promise<string> {
  const changes = await git.query(dir, ['diff', ...CHANGES, 'HEAD']);
  return createHash('sha256')
    .update(changes ?? 'unreadable')
    .digest('hex');
}

const CHANGES = ['--no-ext-diff', '--binary', '--submodule=diff', '--ignore-submodules=untracked'];
const SUBMODULES = ['submodule', 'update', '--init', '--recursive', '--force'];

function target({ branch, commit }: Revision): readonly string[] {
  return branch === undefined ? ['--detach', commit] : ['-B', branch, commit];
}

function upstream(branch: string): readonly string[] {
  return ['branch', '--quiet', `--set-upstream-to=origin/${branch}`, branch];
}

function requireOk(
  source: Source,
  { isOk, lastLines }: CommandResult,
  code = 'SOURCE_CHECKOUT_FAILED',
): void {
  if (isOk) return;
  throw new NightmarkError(code, `The source ${source.name} could not be checked out:\n${lastLines}`, {
    hint: 'The log of the stage "source" has the whole output.',
  });
}
