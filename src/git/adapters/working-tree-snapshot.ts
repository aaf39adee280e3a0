import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import {
  type BorrowedRepository,
  listSubmodules,
  makeBorrowed,
  requireOk,
  UNTOUCHED,
  writeFiles,
} from './borrowed-repository.ts';
import type { Git } from './git-command.ts';
import { findSubmodule, type UserRepository } from './user-repository.ts';

/** A working tree as it was at one time, as objects of a repository of our own. */
export interface Snapshot {
  /** The user's commit that is checked out. */
  readonly head: string;
  /** The same where nothing is changed, otherwise a commit that we made on top of it. */
  readonly commit: string;
  readonly tree: string;
  readonly isChanged: boolean;
  /** Paths of submodules in which something is changed: the tree does not show that. */
  readonly changedSubmodules: readonly string[];
  /** Writes the files. */
  fill(): Promise<void>;
}

/**
 * Takes the snapshot into a new repository at `dir`, with a copy of the user's index: git need not read unchanged files
 * again, and the index itself stays as it is. Objects are written to the new repository.
 */
export async function takeSnapshot(git: Git, origin: UserRepository, dir: string): Promise<Snapshot> {
  const head = await origin.git.query(origin.dir, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head === undefined)
    throw new NightmarkError('DUET_NO_REPOSITORY', `The repository ${origin.dir} has no commit yet.`, {
      hint: 'Commit the version to compare the working tree with.',
    });
  const target = await makeBorrowed(git, origin, dir);
  const tree = await writeTree(origin, target);
  const inner: { readonly path: string; readonly snapshot: Snapshot }[] = [];
  for (const { path, name } of await listSubmodules(target.git, dir, tree)) {
    const source = await findSubmodule(origin, path, name);
    if (source?.hasWorkTree) inner.push({ path, snapshot: await takeSnapshot(git, source, join(dir, path)) });
    else git.shell.note(`The submodule ${path} is not checked out in your repository: left empty.`);
  }

  const changed = inner.filter(({ snapshot }) => snapshot.isChanged);
  const isChanged = changed.length > 0 || (await git.query(dir, ['rev-parse', `${head}^{tree}`])) !== tree;
  const notes = changed.map(({ path, snapshot }) => `${path} ${snapshot.commit}`);
  const commit = isChanged ? await commitTree(git, dir, { tree, head, notes }) : head;
  return {
    head,
    commit,
    tree,
    isChanged,
    changedSubmodules: changed.map(({ path }) => path),
    async fill() {
      await writeFiles(git, target, { commit, tree });
      for (const { snapshot } of inner) await snapshot.fill();
    },
  };
}

async function writeTree(origin: UserRepository, { dir, git }: BorrowedRepository): Promise<string> {
  const index = join(origin.gitDir, 'index');
  if (existsSync(index)) {
    const copy = join(dir, '.git/index');
    const { atime, mtime } = statSync(index);
    copyFileSync(index, copy);
    // git compares its date with those of files that changed in the second in which the index was written.
    utimesSync(copy, atime, mtime);
  }
  const reader = git.with({ GIT_WORK_TREE: origin.dir });
  requireOk(await reader.run(origin.dir, [...UNTOUCHED, 'add', '--all', '.']), 'read');
  const written = await reader.capture(origin.dir, [...UNTOUCHED, 'write-tree']);
  requireOk(written, 'read');
  return written.stdout.trim();
}

/** The same content on the same commit always gives the same commit: author, date and message are constant. */
async function commitTree(
  git: Git,
  dir: string,
  { tree, head, notes }: { readonly tree: string; readonly head: string; readonly notes: readonly string[] },
): Promise<string> {
  const who = { NAME: 'Nightmark', EMAIL: 'nightmark@localhost', DATE: '1970-01-01T00:00:00Z' };
  const variables = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(who).map(([field, value]) => [`GIT_${role}_${field}`, value]),
  );
  const made = await git
    .with(Object.fromEntries(variables) as Record<string, string>)
    .capture(dir, ['commit-tree', '-p', head, '-m', ['Working tree', '', ...notes].join('\n').trim(), tree]);
  requireOk(made);
  return made.stdout.trim();
}
