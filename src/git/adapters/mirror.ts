import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import type { Source } from '../core/source-control.ts';
import type { Git } from './git-command.ts';
import { withoutSecrets } from './shell.ts';

/** Where a fetched revision that is neither branch nor tag is kept in the mirror. */
const REQUESTED_REF = 'refs/nightmark/asked';

/** HEAD of the remote, read before the fetch. */
export interface RemoteHead {
  /** The default branch; absent when HEAD is detached. */
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
  const refspecs = [
    '+refs/heads/*:refs/heads/*',
    '+refs/tags/*:refs/tags/*',
    ...requestedRefspec(source, head),
  ];

  if (existsSync(join(mirror, 'HEAD'))) {
    removeStaleLocks(mirror);
    const fetched = await fetchInto(git, mirror, source, refspecs);
    if (fetched.isOk) return head;
    const isReachable = await git.query(dirname(mirror), ['ls-remote', '--heads', '--', source.git]);
    const isBroken = isReachable !== undefined && !/couldn't find remote ref/.test(fetched.lastLines);
    if (!isBroken) throw fetchFailed(source, fetched.lastLines);
    git.shell.note('The remote answers but the fetch into the mirror fails: making a new mirror.');
  }
  await makeMirror(git, mirror, source, refspecs);
  return head;
}

/** Fetches one commit that no branch and no tag contains; false where the server refuses. */
async function fetchCommit(git: Git, mirror: string, source: Source): Promise<boolean> {
  const fetched = await fetchInto(git, mirror, source, [`+${source.ref}:${REQUESTED_REF}`]);
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

function requestedRefspec({ ref }: Source, head: RemoteHead | undefined): readonly string[] {
  if (head && head.branch === undefined) return [`+HEAD:${REQUESTED_REF}`];
  const isElsewhere = ref?.startsWith('refs/') && !/^refs\/(heads|tags)\//.test(ref);
  return isElsewhere ? [`+${ref}:${REQUESTED_REF}`] : [];
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
      hint: `Try "git ls-remote ${withoutSecrets(source.git)}" as the same user; git never prompts for a password here. "run --no-build" measures the last build.`,
    },
  );
}

/** Branches and tags that an error names. */
const MAX_NAMED = 5;

/** A resolved revision. `branch` is set when it is the tip of one. */
export interface Revision {
  readonly commit: string;
  readonly branch?: string;
}

export async function resolveRef(
  git: Git,
  mirror: string,
  source: Source,
  head: RemoteHead | undefined,
): Promise<Revision> {
  const names = await readNames(git, mirror);
  const { ref } = source;
  if (ref === undefined) {
    if (!head) throw unknown(source, 'it has no default branch', names);
    return head;
  }
  const found = findByName(source, ref, names);
  if (found) {
    const commit = await commitOf(git, mirror, found.name);
    if (commit === undefined)
      throw unknown(source, `${JSON.stringify(ref)} does not point to a commit`, names);
    return found.branch === undefined ? { commit } : { commit, branch: found.branch };
  }
  const commit = await findCommit(git, mirror, source, ref);
  if (commit === 'ambiguous') throw unknown(source, `several commits begin with ${ref}`, names);
  if (commit === undefined) throw unknown(source, `it has no branch, tag or commit "${ref}"`, names);
  return { commit };
}

interface Named {
  readonly name: string;
  readonly branch?: string;
}

function findByName(source: Source, ref: string, names: readonly string[]): Named | undefined {
  if (ref.startsWith('refs/heads/')) {
    return names.includes(ref) ? { name: ref, branch: ref.slice('refs/heads/'.length) } : undefined;
  }
  if (ref.startsWith('refs/tags/')) return names.includes(ref) ? { name: ref } : undefined;
  if (ref.startsWith('refs/')) return { name: REQUESTED_REF };
  const isBranch = names.includes(`refs/heads/${ref}`);
  const isTag = names.includes(`refs/tags/${ref}`);
  if (isBranch && isTag)
    throw new NightmarkError(
      'SOURCE_REF_UNKNOWN',
      `In the source ${source.name} "${ref}" is a branch and a tag.`,
      {
        hint: `Use refs/heads/${ref} or refs/tags/${ref}.`,
      },
    );
  if (isBranch) return { name: `refs/heads/${ref}`, branch: ref };
  return isTag ? { name: `refs/tags/${ref}` } : undefined;
}

async function findCommit(git: Git, mirror: string, source: Source, ref: string) {
  if (!/^[0-9a-f]{4,64}$/i.test(ref)) return undefined;
  const commit = await commitOf(git, mirror, ref);
  if (commit !== undefined) return commit;
  const objects = await git.query(mirror, ['rev-parse', `--disambiguate=${ref}`]);
  if ((objects ?? '').split('\n').length > 1) return 'ambiguous';
  const isWhole = ref.length === 40 || ref.length === 64;
  if (!isWhole || !(await fetchCommit(git, mirror, source))) return undefined;
  return commitOf(git, mirror, ref);
}

function commitOf(git: Git, mirror: string, name: string): Promise<string | undefined> {
  return git.query(mirror, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

async function readNames(git: Git, mirror: string): Promise<readonly string[]> {
  const lines = await git.query(mirror, ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags']);
  return (lines ?? '').split('\n').filter((line) => line !== '');
}

function unknown(source: Source, problem: string, names: readonly string[]): NightmarkError {
  const short = names.map((name) => name.replace(/^refs\/(heads|tags)\//, ''));
  const near = nearestFirst(source.ref ?? '', [...new Set(short)]).slice(0, MAX_NAMED);
  return new NightmarkError(
    'SOURCE_REF_UNKNOWN',
    `The source ${source.name} cannot be checked out: ${problem}.`,
    {
      hint: near.length === 0 ? 'The repository is empty.' : `It has: ${near.join(', ')}.`,
    },
  );
}
