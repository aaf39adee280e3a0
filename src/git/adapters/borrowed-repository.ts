import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Git } from './git-command.ts';
import type { CommandResult } from './shell.ts';
import { findSubmodule, type UserRepository } from './user-repository.ts';

/** Checks out a commit of the user's repository, with the submodules that the user has, into a new folder. */
export async function checkOutCommit(git: Git, origin: UserRepository, at: CommitPlace): Promise<void> {
  const { commit, dir } = at;
  const target = await makeBorrowed(git, origin, dir);
  await fetchMissing(git, origin, at);
  await writeFiles(git, target, { commit, tree: `${commit}^{tree}` });
  for (const { path, name, commit: inner } of await listSubmodules(target.git, dir, commit)) {
    const source = await findSubmodule(origin, path, name);
    if (source) await checkOutCommit(git, source, { commit: inner, dir: join(dir, path) });
    else git.shell.note(`The submodule ${path} is not checked out in your repository: left empty.`);
  }
}

interface CommitPlace {
  readonly commit: string;
  readonly dir: string;
}

/** Writes the files of a tree and sets HEAD to the commit. */
export async function writeFiles(
  git: Git,
  target: BorrowedRepository,
  { commit, tree }: { readonly commit: string; readonly tree: string },
): Promise<void> {
  const { dir } = target;
  requireOk(await target.git.run(dir, [...UNTOUCHED, 'read-tree', '--reset', '-u', tree]));
  requireOk(await git.run(dir, ['update-ref', '--no-deref', 'HEAD', commit]));
}

/** The baseline may need a commit of a submodule that the user never had. */
async function fetchMissing(git: Git, origin: UserRepository, { commit, dir }: CommitPlace): Promise<void> {
  const isThere = await git.run(dir, ['cat-file', '-e', `${commit}^{commit}`]);
  if (isThere.isOk) return;
  const address = await origin.git.query(origin.dir, ['config', '--get', 'remote.origin.url']);
  if (address === undefined) return requireOk(isThere);
  requireOk(await git.run(dir, ['fetch', '--quiet', '--no-tags', '--depth=1', '--', address, commit]));
}

/** A repository of our own that reads the objects of another one (alternates) and writes to its own. */
export interface BorrowedRepository {
  readonly dir: string;
  /** For commands that need the settings and filters of the origin, but write index, files and objects here. */
  readonly git: Git;
}

/** Makes the repository: objects and references of the origin, no commit checked out. */
export async function makeBorrowed(
  git: Git,
  origin: UserRepository,
  dir: string,
): Promise<BorrowedRepository> {
  const format = origin.objectFormat === 'sha1' ? [] : [`--object-format=${origin.objectFormat}`];
  mkdirSync(dir, { recursive: true });
  requireOk(await git.run(dir, ['init', '--quiet', '--template=', ...format, '.']));
  const own = join(dir, '.git');
  mkdirSync(join(own, 'objects/info'), { recursive: true });
  writeFileSync(join(own, 'objects/info/alternates'), `${join(origin.commonDir, 'objects')}\n`);
  const shallow = join(origin.commonDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(own, 'shallow'));
  await copyReferences(origin, own);
  await copySettings(git, origin, dir);
  return {
    dir,
    git: origin.git.with({
      GIT_WORK_TREE: dir,
      GIT_INDEX_FILE: join(own, 'index'),
      GIT_OBJECT_DIRECTORY: join(own, 'objects'),
    }),
  };
}

/** Options of every command that reads files: nothing may be started or written in the user's repository. */
export const UNTOUCHED = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.splitIndex=false'],
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'advice.addEmbeddedRepo=false'],
];

export function requireOk({ isOk, lastLines }: CommandResult, what = 'checked out'): void {
  if (isOk) return;
  throw new NightmarkError(
    'DUET_CHECKOUT_FAILED',
    `The versions of the repository could not be ${what}:\n${lastLines}`,
    { hint: 'Try "git status" in the repository: it must work there.' },
  );
}

/** Builds read tags (git describe) and branches. */
async function copyReferences({ git, dir }: UserRepository, own: string): Promise<void> {
  const format = '--format=%(objectname) %(refname)';
  const lines = await git.query(dir, ['for-each-ref', format, 'refs/heads', 'refs/remotes', 'refs/tags']);
  if (lines) writeFileSync(join(own, 'packed-refs'), `${lines}\n`);
}

/** Settings that decide how files are written; addresses and credentials are not copied. */
const SETTINGS =
  /^(core\.(autocrlf|eol|safecrlf|symlinks|filemode|ignorecase|precomposeunicode|longpaths)|filter\.|diff\.[^\n]*\.textconv)/;

async function copySettings(git: Git, origin: UserRepository, dir: string): Promise<void> {
  const list = (await origin.git.query(origin.dir, ['config', '--local', '--null', '--list'])) ?? '';
  for (const setting of list.split('\0')) {
    const at = setting.indexOf('\n');
    if (at < 0 || !SETTINGS.test(setting)) continue;
    requireOk(await git.run(dir, ['config', '--local', setting.slice(0, at), setting.slice(at + 1)]));
  }
}

/** A place in a tree that holds another repository. */
export interface Submodule {
  readonly path: string;
  readonly commit: string;
  /** As .gitmodules calls it; absent when it does not. */
  readonly name?: string;
}

/** The submodules of the index that `git` is set to; `tree` is the same content as an object. */
export async function listSubmodules(git: Git, dir: string, tree: string): Promise<readonly Submodule[]> {
  const modules = await git.query(dir, [
    'config',
    ...['--blob', `${tree}:.gitmodules`],
    ...['--null', '--get-regexp', '^submodule\\..*\\.path$'],
  ]);
  if (modules === undefined) return [];
  const names = new Map(
    modules.split('\0').map((entry) => {
      const [key = '', path = ''] = entry.split('\n');
      return [path, key.replace(/^submodule\./, '').replace(/\.path$/, '')] as const;
    }),
  );
  const entries = (await git.query(dir, ['ls-files', '--stage', '-z'])) ?? '';
  return entries.split('\0').flatMap((entry) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(entry) ?? [];
    if (commit === undefined || path === undefined) return [];
    const name = names.get(path);
    return [name === undefined ? { path, commit } : { path, commit, name }];
  });
}
