import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import type { PairRequest, Version } from '../core/version-pairs.ts';
import type { Git } from './git-command.ts';

/** A repository that is only read: the user's own, or one of its submodules. */
export interface UserRepository {
  /** Its git, set by variables to the folders below; for reading. */
  readonly git: Git;
  /** Folder to run git in; the working tree where there is one. */
  readonly dir: string;
  readonly hasWorkTree: boolean;
  readonly gitDir: string;
  /** Where objects, references and submodules are; another one than gitDir in a linked worktree. */
  readonly commonDir: string;
  readonly objectFormat: string;
}

/** The repository that holds a folder, and the path from its root to the folder. */
export async function findUserRepository(
  git: Git,
  dir: string,
): Promise<{ origin: UserRepository; prefix: string }> {
  const answer = existsSync(dir) ? await git.capture(dir, ['rev-parse', '--show-toplevel']) : undefined;
  const root = answer?.stdout.replace(/\n$/, '') ?? '';
  if (!answer?.isOk || root === '') {
    throw new NightmarkError(
      'DUET_NO_REPOSITORY',
      `${dir} is not in a git working tree${answer ? `: ${answer.lastLines.trim()}` : ''}.`,
      {
        hint: 'Change to your repository first; --against compares its working tree with one of its commits.',
      },
    );
  }
  const gitDir = (await git.query(root, ['rev-parse', '--absolute-git-dir'])) ?? join(root, '.git');
  return {
    origin: await openUserRepository(git, { gitDir, workTree: root }),
    prefix: relative(realpathSync(root), realpathSync(dir)),
  };
}

/** The user's copy of a submodule: its checkout, or what git kept of one that was checked out once. */
export async function findSubmodule(
  parent: UserRepository,
  path: string,
  name: string | undefined,
): Promise<UserRepository | undefined> {
  const workTree = join(parent.dir, path);
  if (parent.hasWorkTree && existsSync(join(workTree, '.git'))) {
    const { git } = parent;
    const own = git.with({ GIT_DIR: join(workTree, '.git') });
    const gitDir = await own.query(workTree, ['rev-parse', '--absolute-git-dir']);
    if (gitDir !== undefined) return openUserRepository(git, { gitDir, workTree });
  }
  const kept = name === undefined ? undefined : join(parent.commonDir, 'modules', name);
  return kept && existsSync(join(kept, 'HEAD'))
    ? openUserRepository(parent.git, { gitDir: kept })
    : undefined;
}

async function openUserRepository(
  git: Git,
  { gitDir, workTree }: { readonly gitDir: string; readonly workTree?: string },
): Promise<UserRepository> {
  const dir = workTree ?? gitDir;
  // Without optional locks git does not write the index when it only reads, also in submodules.
  const own = git.with({ GIT_DIR: gitDir, GIT_WORK_TREE: dir, GIT_OPTIONAL_LOCKS: '0' });
  const common = await own.query(dir, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const objectFormat = (await own.query(dir, ['rev-parse', '--show-object-format'])) ?? 'sha1';
  return {
    git: own,
    dir,
    hasWorkTree: workTree !== undefined,
    gitDir,
    commonDir: common ?? gitDir,
    objectFormat,
  };
}

/** The commit that the working tree is compared with. */
export async function resolveBaseline(
  origin: UserRepository,
  { ref, base }: Pick<PairRequest, 'ref' | 'base'>,
): Promise<string> {
  const commit = await commitOf(origin, ref);
  if (commit === undefined) throw await unknownRef(origin, ref);
  if (base === 'ref') return commit;
  const mergeBase = await origin.git.query(origin.dir, ['merge-base', commit, 'HEAD']);
  if (mergeBase !== undefined && mergeBase !== '') return mergeBase;
  if (await isShallow(origin)) {
    throw new NightmarkError(
      'DUET_SHALLOW',
      `The clone is too shallow to find where the working tree and ${ref} diverged.`,
      { hint: `${DEEPEN} Or compare with ${ref} itself: --base ref.` },
    );
  }
  throw new NightmarkError('DUET_NO_MERGE_BASE', `The working tree and ${ref} have no common ancestor.`, {
    hint: `Compare with ${ref} itself: --base ref.`,
  });
}

export async function describeVersion(
  origin: UserRepository,
  commit: string,
  isChanged: boolean,
): Promise<Version> {
  const format = '--format=%h%x00%cI%x00%s';
  const answer = await origin.git.query(origin.dir, [
    'show',
    '--no-patch',
    '--no-show-signature',
    format,
    commit,
  ]);
  const [shortCommit = commit.slice(0, 7), date = '', subject = ''] = (answer ?? '').split('\0');
  return { commit, shortCommit, date, subject, isChanged };
}

const DEEPEN = 'Fetch it: git fetch --unshallow (fetch-depth: 0 for actions/checkout).';
/** Branches and tags that an error names. */
const MAX_NAMED = 5;

function commitOf({ git, dir }: UserRepository, ref: string): Promise<string | undefined> {
  return git.query(dir, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

async function isShallow({ git, dir }: UserRepository): Promise<boolean> {
  return (await git.query(dir, ['rev-parse', '--is-shallow-repository'])) === 'true';
}

async function unknownRef(origin: UserRepository, ref: string): Promise<NightmarkError> {
  const { git, dir } = origin;
  const places = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const lines = await git.query(dir, ['for-each-ref', '--format=%(refname:lstrip=2)', ...places]);
  const names = (lines ?? '').split('\n').filter((name) => name !== '' && !name.endsWith('/HEAD'));
  const isElsewhere = names.find((name) => name.endsWith(`/${ref}`));
  const near = isElsewhere ? [isElsewhere] : nearestFirst(ref, names).slice(0, MAX_NAMED);
  const hints = [
    ...(near.length > 0 ? [`It has: ${near.join(', ')}.`] : []),
    ...((await isShallow(origin)) ? [`The clone is shallow. ${DEEPEN}`] : []),
  ];
  return new NightmarkError(
    'DUET_UNKNOWN_REF',
    `The repository ${dir} has no branch, tag or commit ${JSON.stringify(ref)}.`,
    { hint: hints.join('\n') || 'Name a branch, a tag or a commit.' },
  );
}
