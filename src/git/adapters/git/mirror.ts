import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Source } from '../../core/source-control.ts';
import type { Git } from './git-command.ts';
import { withoutSecrets } from './shell.ts';

/** Where a fetched revision that is neither branch nor tag is kept in the mirror. */
export const ASKED_REF = 'refs/nightmark/asked';

/** What the remote says about itself, asked in one go before the fetch. */
export interface RemoteHead {
  /** The default branch; absent when HEAD is detached there. */
  readonly branch?: string;
  readonly commit: string;
}

/** Brings the bare mirror to the state of the remote. The caller holds the lock of the source. */
export async function updateMirror(
  git: Git,
  mirror: string,
  source: Source,
): Promise<RemoteHead | undefined> {
  const head = source.ref === undefined ? await readRemoteHead(git, mirror, source) : undefined;
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', ...askedRefspec(source, head)];

  if (existsSync(join(mirror, 'HEAD'))) {
    removeStaleLocks(mirror);
    const fetched = await fetchInto(git, mirror, source, refspecs);
    if (fetched.isOk) return head;
    const isReachable = await git.ask(dirname(mirror), ['ls-remote', '--heads', '--', source.git]);
    const isBroken = isReachable !== undefined && !/couldn't find remote ref/.test(fetched.lastLines);
    if (!isBroken) throw fetchFailed(source, fetched.lastLines);
    git.shell.note('The remote answers but the mirror does not take it: making a new mirror.');
  }
  await makeMirror(git, mirror, source, refspecs);
  return head;
}

/** Gets one commit that no branch and no tag leads to; false where the server does not give it. */
export async function fetchCommit(git: Git, mirror: string, source: Source): Promise<boolean> {
  const fetched = await fetchInto(git, mirror, source, [`+${source.ref}:${ASKED_REF}`]);
  return fetched.isOk;
}

async function makeMirror(
  git: Git,
  mirror: string,
  source: Source,
  refspecs: readonly string[],
): Promise<void> {
  const temporary = join(dirname(mirror), `.tmp-mirror-${process.pid}-${Date.now()}`);
  mkdirSync(dirname(mirror), { recursive: true });
  try {
    const made = await git.run(dirname(mirror), ['init', '--quiet', '--bare', '--template=', temporary]);
    if (!made.isOk) throw fetchFailed(source, made.lastLines);
    const fetched = await fetchInto(git, temporary, source, refspecs);
    if (!fetched.isOk) throw fetchFailed(source, fetched.lastLines);
    rmSync(mirror, { recursive: true, force: true });
    renameSync(temporary, mirror);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function fetchInto(git: Git, mirror: string, source: Source, refspecs: readonly string[]) {
  const isWhole = refspecs.length > 1;
  const flags = ['--no-tags', '--force', '--no-write-fetch-head', ...(isWhole ? ['--prune'] : [])];
  return git.run(mirror, ['fetch', ...flags, '--', source.git, ...refspecs]);
}

async function readRemoteHead(git: Git, mirror: string, source: Source): Promise<RemoteHead | undefined> {
  mkdirSync(dirname(mirror), { recursive: true });
  const answer = await git.capture(dirname(mirror), ['ls-remote', '--symref', '--', source.git, 'HEAD']);
  if (!answer.isOk) throw fetchFailed(source, answer.lastLines);
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer.stdout)?.[1];
  const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer.stdout)?.[1];
  if (commit === undefined) return undefined;
  return branch === undefined ? { commit } : { branch, commit };
}

function askedRefspec({ ref }: Source, head: RemoteHead | undefined): readonly string[] {
  if (head && head.branch === undefined) return [`+HEAD:${ASKED_REF}`];
  const isElsewhere = ref?.startsWith('refs/') && !/^refs\/(heads|tags)\//.test(ref);
  return isElsewhere ? [`+${ref}:${ASKED_REF}`] : [];
}

/** We hold the lock of the source, so a lock file of git was left by a process that was killed. */
function removeStaleLocks(mirror: string): void {
  for (const name of readdirSync(mirror, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(mirror, name), { force: true });
  }
}

function fetchFailed(source: Source, lastLines: string): NightmarkError {
  return new NightmarkError(
    'SOURCE_FETCH_FAILED',
    `The source ${source.name} could not be fetched from ${withoutSecrets(source.git)}:\n${lastLines}`,
    {
      hint: `Try "git ls-remote ${withoutSecrets(source.git)}" as the same user; passwords are never asked for. "run --no-build" measures the last build.`,
    },
  );
}
