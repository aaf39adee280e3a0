import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Git } from '../git-command.ts';

/** A repository that is only read: the user's own, or one of its submodules. */
export interface Origin {
  /** Its git, told by variables where everything is; for reading. */
  readonly git: Git;
  /** Folder to run git in; the working tree where there is one. */
  readonly dir: string;
  readonly hasWorkTree: boolean;
  readonly gitDir: string;
  /** Where objects, references and submodules are; another one than gitDir in a linked worktree. */
  readonly commonDir: string;
  readonly objectFormat: string;
}

/** The repository that holds a folder, and the way from its root to the folder. */
export async function findOrigin(git: Git, dir: string): Promise<{ origin: Origin; prefix: string }> {
  const answer = existsSync(dir) ? await git.capture(dir, ['rev-parse', '--show-toplevel']) : undefined;
  const root = answer?.stdout.replace(/\n$/, '') ?? '';
  if (!answer?.isOk || root === '') {
    throw new NightmarkError(
      'DUET_NO_REPOSITORY',
      `${dir} is in no git working tree${answer ? `: ${answer.lastLines.trim()}` : ''}.`,
      {
        hint: 'Change to your repository first; --against compares its working tree with one of its commits.',
      },
    );
  }
  const gitDir = (await git.ask(root, ['rev-parse', '--absolute-git-dir'])) ?? join(root, '.git');
  return {
    origin: await openOrigin(git, { gitDir, workTree: root }),
    prefix: relative(realpathSync(root), realpathSync(dir)),
  };
}

/** The user's copy of a submodule: its checkout, or what git kept of one that was checked out once. */
export async function findSubmodule(
  parent: Origin,
  path: string,
  name: string | undefined,
): Promise<Origin | undefined> {
  const workTree = join(parent.dir, path);
  if (parent.hasWorkTree && existsSync(join(workTree, '.git'))) {
    const { git } = parent;
    const own = git.with({ GIT_DIR: join(workTree, '.git') });
    const gitDir = await own.ask(workTree, ['rev-parse', '--absolute-git-dir']);
    if (gitDir !== undefined) return openOrigin(git, { gitDir, workTree });
  }
  const kept = name === undefined ? undefined : join(parent.commonDir, 'modules', name);
  return kept && existsSync(join(kept, 'HEAD')) ? openOrigin(parent.git, { gitDir: kept }) : undefined;
}

async function openOrigin(
  git: Git,
  { gitDir, workTree }: { readonly gitDir: string; readonly workTree?: string },
): Promise<Origin> {
  const dir = workTree ?? gitDir;
  // Without optional locks git leaves the index alone when it only looks, also in submodules.
  const own = git.with({ GIT_DIR: gitDir, GIT_WORK_TREE: dir, GIT_OPTIONAL_LOCKS: '0' });
  const common = await own.ask(dir, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const objectFormat = (await own.ask(dir, ['rev-parse', '--show-object-format'])) ?? 'sha1';
  return {
    git: own,
    dir,
    hasWorkTree: workTree !== undefined,
    gitDir,
    commonDir: common ?? gitDir,
    objectFormat,
  };
}
