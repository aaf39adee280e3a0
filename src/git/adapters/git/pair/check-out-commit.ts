import { join } from 'node:path';
import type { Git } from '../git-command.ts';
import { type Borrowed, borrow, need, UNTOUCHED } from './borrow.ts';
import { findSubmodule, type Origin } from './find-origin.ts';
import { listSubmodules } from './submodules.ts';

/** Puts a commit of the origin, with the submodules that the user has, into a new folder. */
export async function checkOutCommit(git: Git, origin: Origin, at: CommitPlace): Promise<void> {
  const { commit, dir } = at;
  const target = await borrow(git, origin, dir);
  await fetchMissing(git, origin, at);
  await fill(git, target, { commit, tree: `${commit}^{tree}` });
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

/** Writes the files of a tree and says that the commit is checked out. */
export async function fill(
  git: Git,
  target: Borrowed,
  { commit, tree }: { readonly commit: string; readonly tree: string },
): Promise<void> {
  const { dir } = target;
  need(await target.git.run(dir, [...UNTOUCHED, 'read-tree', '--reset', '-u', tree]));
  need(await git.run(dir, ['update-ref', '--no-deref', 'HEAD', commit]));
}

/** The baseline may need a commit of a submodule that the user never had. */
async function fetchMissing(git: Git, origin: Origin, { commit, dir }: CommitPlace): Promise<void> {
  const isThere = await git.run(dir, ['cat-file', '-e', `${commit}^{commit}`]);
  if (isThere.isOk) return;
  const address = await origin.git.ask(origin.dir, ['config', '--get', 'remote.origin.url']);
  if (address === undefined) return need(isThere);
  need(await git.run(dir, ['fetch', '--quiet', '--no-tags', '--depth=1', '--', address, commit]));
}
