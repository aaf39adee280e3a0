import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Git } from '../git-command.ts';
import type { Ran } from '../shell.ts';
import type { Origin } from './find-origin.ts';

/** A repository of ours that reads the objects of another one and writes its own. */
export interface Borrowed {
  readonly dir: string;
  /** For commands that need the settings and filters of the origin, but write index, files and objects here. */
  readonly git: Git;
}

/** Makes the repository: objects and references of the origin, no commit checked out. */
export async function borrow(git: Git, origin: Origin, dir: string): Promise<Borrowed> {
  const format = origin.objectFormat === 'sha1' ? [] : [`--object-format=${origin.objectFormat}`];
  mkdirSync(dir, { recursive: true });
  need(await git.run(dir, ['init', '--quiet', '--template=', ...format, '.']));
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

/** For options of every command that looks at files: nothing may be started in, or left in, the user's repository. */
export const UNTOUCHED = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.splitIndex=false'],
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'advice.addEmbeddedRepo=false'],
];

export function need({ isOk, lastLines }: Ran, what = 'checked out'): void {
  if (isOk) return;
  throw new NightmarkError(
    'DUET_CHECKOUT_FAILED',
    `The versions of the repository could not be ${what}:\n${lastLines}`,
    { hint: 'Try "git status" in the repository; it has to work there.' },
  );
}

/** Builds ask for tags (git describe) and branches. */
async function copyReferences({ git, dir }: Origin, own: string): Promise<void> {
  const format = '--format=%(objectname) %(refname)';
  const lines = await git.ask(dir, ['for-each-ref', format, 'refs/heads', 'refs/remotes', 'refs/tags']);
  if (lines) writeFileSync(join(own, 'packed-refs'), `${lines}\n`);
}

/** Settings that say how files look on disk; addresses and credentials stay where they are. */
const SETTINGS =
  /^(core\.(autocrlf|eol|safecrlf|symlinks|filemode|ignorecase|precomposeunicode|longpaths)|filter\.|diff\.[^\n]*\.textconv)/;

async function copySettings(git: Git, origin: Origin, dir: string): Promise<void> {
  const list = (await origin.git.ask(origin.dir, ['config', '--local', '--null', '--list'])) ?? '';
  for (const setting of list.split('\0')) {
    const at = setting.indexOf('\n');
    if (at < 0 || !SETTINGS.test(setting)) continue;
    need(await git.run(dir, ['config', '--local', setting.slice(0, at), setting.slice(at + 1)]));
  }
}
