import type { Git } from '../git-command.ts';

/** A place in a tree that holds another repository. */
export interface Submodule {
  readonly path: string;
  readonly commit: string;
  /** As .gitmodules calls it; absent when it does not. */
  readonly name?: string;
}

/** The submodules of the index that `git` is set to; `tree` is the same content as an object. */
export async function listSubmodules(git: Git, dir: string, tree: string): Promise<readonly Submodule[]> {
  const modules = await git.ask(dir, [
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
  const entries = (await git.ask(dir, ['ls-files', '--stage', '-z'])) ?? '';
  return entries.split('\0').flatMap((entry) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(entry) ?? [];
    if (commit === undefined || path === undefined) return [];
    const name = names.get(path);
    return [name === undefined ? { path, commit } : { path, commit, name }];
  });
}
