import { NightmarkError } from '../../../platform/core/errors.ts';
import { nearestFirst } from '../../../platform/core/text/nearest.ts';
import type { Source } from '../../core/source-control.ts';
import type { Git } from './git-command.ts';
import { ASKED_REF, fetchCommit, type RemoteHead } from './mirror.ts';

/** Branches and tags that an error names. */
const MAX_NAMED = 5;

/** A revision made definite. `branch` is set when it is the tip of one. */
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
    if (commit === undefined) throw unknown(source, `${JSON.stringify(ref)} leads to no commit`, names);
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
  if (ref.startsWith('refs/')) return { name: ASKED_REF };
  const isBranch = names.includes(`refs/heads/${ref}`);
  const isTag = names.includes(`refs/tags/${ref}`);
  if (isBranch && isTag)
    throw new NightmarkError(
      'SOURCE_REF_UNKNOWN',
      `In the source ${source.name} "${ref}" is a branch and a tag.`,
      {
        hint: `Say which: refs/heads/${ref} or refs/tags/${ref}.`,
      },
    );
  if (isBranch) return { name: `refs/heads/${ref}`, branch: ref };
  return isTag ? { name: `refs/tags/${ref}` } : undefined;
}

async function findCommit(git: Git, mirror: string, source: Source, ref: string) {
  if (!/^[0-9a-f]{4,64}$/i.test(ref)) return undefined;
  const commit = await commitOf(git, mirror, ref);
  if (commit !== undefined) return commit;
  const objects = await git.ask(mirror, ['rev-parse', `--disambiguate=${ref}`]);
  if ((objects ?? '').split('\n').length > 1) return 'ambiguous';
  const isWhole = ref.length === 40 || ref.length === 64;
  if (!isWhole || !(await fetchCommit(git, mirror, source))) return undefined;
  return commitOf(git, mirror, ref);
}

function commitOf(git: Git, mirror: string, name: string): Promise<string | undefined> {
  return git.ask(mirror, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

async function readNames(git: Git, mirror: string): Promise<readonly string[]> {
  const lines = await git.ask(mirror, ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags']);
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
