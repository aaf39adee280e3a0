import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { CommitRange, RangeCommit, RangeRequest } from '../core/commit-history.ts';
import { withTemporaryGit } from './git-command.ts';
import { withoutSecrets } from './shell.ts';
import {
  describeVersion,
  findUserRepository,
  resolveBaseline,
  type UserRepository,
} from './user-repository.ts';

/** The commits from good (left out) to bad, each after its parents. */
export function listRange(
  executor: Executor,
  request: RangeRequest,
  signal: CancelSignal,
): Promise<CommitRange> {
  return withOrigin(executor, { ...request, signal }, async ({ origin, prefix }) => {
    const [good, bad] = [await resolve(origin, request.good), await resolve(origin, request.bad)];
    await requireAncestor(origin, request, { good, bad });
    const commits = await readCommits(origin, request, `${good}..${bad}`);
    requireFirstParents(request, good, commits);
    const remote = await origin.git.query(origin.dir, ['config', '--get', 'remote.origin.url']);
    return {
      root: origin.dir,
      prefix,
      ...(remote !== undefined && { remote: withoutSecrets(remote) }),
      good: await describeVersion(origin, good, false),
      commits,
    };
  });
}

/** Reads the repository of a folder. */
export async function withOrigin<T>(
  executor: Executor,
  { dir, env, signal }: Pick<RangeRequest, 'dir' | 'env'> & { readonly signal: CancelSignal },
  read: (found: { origin: UserRepository; prefix: string }) => Promise<T>,
): Promise<T> {
  return withTemporaryGit({ executor, env, signal }, async (git) => read(await findUserRepository(git, dir)));
}

function resolve(origin: UserRepository, ref: string): Promise<string> {
  return resolveBaseline(origin, { ref, base: 'ref' });
}

interface Ends {
  readonly good: string;
  readonly bad: string;
}

async function requireAncestor(
  { git, dir }: UserRepository,
  request: RangeRequest,
  { good, bad }: Ends,
): Promise<void> {
  if (good === bad)
    throw noRange(
      `Good and bad are the same commit ${good.slice(0, 10)}: there is nothing to search.`,
      'Name two commits.',
    );
  if ((await git.run(dir, ['merge-base', '--is-ancestor', good, bad])).isOk) return;
  const isReversed = (await git.run(dir, ['merge-base', '--is-ancestor', bad, good])).isOk;
  const shared = await git.query(dir, ['merge-base', good, bad]);
  throw noRange(
    `${request.good} is not an ancestor of ${request.bad}.`,
    isReversed
      ? `It is the other way round. Good is the older one: --good ${request.bad} --bad ${request.good}; a commit that made it faster is found as well.`
      : shared
        ? `They diverged at ${shared.slice(0, 10)}: try --good ${shared.slice(0, 10)}.`
        : 'They have no common ancestor in this clone. Perhaps it is shallow: git fetch --unshallow',
  );
}

async function readCommits(
  { git, dir }: UserRepository,
  { parents, likelyPaths }: RangeRequest,
  range: string,
): Promise<readonly RangeCommit[]> {
  const order = [
    '--topo-order',
    '--reverse',
    '--no-show-signature',
    ...(parents === 'first' ? ['--first-parent'] : []),
  ];
  const readLog = async (format: string, ...more: string[]) =>
    ((await git.query(dir, ['log', ...order, `--format=${format}`, range, '--', ...more])) ?? '')
      .split('\n')
      .filter((line) => line !== '');
  const likely = new Set(likelyPaths.length === 0 ? [] : await readLog('%H', ...likelyPaths));
  return (await readLog('%H%x00%P%x00%h%x00%cI%x00%an%x00%s')).map((line) => {
    const [commit = '', all = '', shortCommit = '', date = '', author = '', subject = ''] = line.split('\0');
    const before = all.split(' ').filter((hash) => hash !== '');
    return {
      ...{ commit, shortCommit, date, author, subject, isChanged: false, isLikely: likely.has(commit) },
      parents: parents === 'first' ? before.slice(0, 1) : before,
    };
  });
}

function requireFirstParents(
  { parents, good: ref }: RangeRequest,
  good: string,
  commits: readonly RangeCommit[],
): void {
  const [first] = commits;
  if (parents === 'all' || first?.parents[0] === good) return;
  throw noRange(
    `${ref} is not among the first parents of the bad commit: it came by a merge.`,
    'Search all commits, merged ones included: --all-parents',
  );
}

function noRange(message: string, hint: string): NightmarkError {
  return new NightmarkError('BISECT_NO_RANGE', message, { hint });
}
