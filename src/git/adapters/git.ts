import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../../executors/core/executor.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { CommitHistory } from '../core/commit-history.ts';
import type { CommitLog, SourceFetcher } from '../core/commit-log.ts';
import type { Checkout, SourceControl, SourceRequest } from '../core/source-control.ts';
import type { VersionPairs } from '../core/version-pairs.ts';
import { buildCheckout } from './build-command.ts';
import { changesIn, isIntact, makeCheckout, showBranch } from './checkout.ts';
import {
  checkoutDir,
  groupOf,
  mirrorDir,
  newestBuilt,
  pruneCheckouts,
  useCheckout,
  writeRecord,
} from './checkout-cache.ts';
import { openWorkspace } from './commit-workspace.ts';
import { commitsBetween } from './commits-between.ts';
import { withFolderLock } from './folder-lock.ts';
import { type Git, openGit, withTemporaryGit } from './git-command.ts';
import { listRange, withOrigin } from './list-range.ts';
import { resolveRef, updateMirror } from './mirror.ts';
import { preparePair } from './prepare-pair.ts';
import { remoteTip } from './remote-tip.ts';
import { describeRepository, pullRepository, snapshotRepository } from './repository-state.ts';
import { checkSource, isLocal } from './source-rules.ts';

/** Repositories through the git command line, run by the given executor: a cancel stops git and all it started. */
export function gitSources(
  executor: Executor,
): SourceControl & VersionPairs & CommitLog & SourceFetcher & CommitHistory {
  return {
    async prepare(request, signal) {
      const { source, cacheDir, logFile, env } = request;
      checkSource(source);
      const root = join(cacheDir, source.name);
      mkdirSync(root, { recursive: true });
      const allowLocalSubmodules = isLocal(source.git);
      const git = await openGit({ executor, logFile, env, signal, allowLocalSubmodules });
      const onWait = (owner: string) =>
        git.shell.note(`Waiting for ${owner}, which prepares the same source.`);
      return withFolderLock(join(root, 'lock'), { signal, onWait }, () =>
        request.fetch ? prepareFetched(git, root, request) : useNewest(git, root, request),
      );
    },
    tip: (source, signal) => remoteTip(executor, source, signal),
    describe: (dir) => describeRepository(executor, dir),
    snapshot: (dir) => snapshotRepository(executor, dir),
    pull: (dir, logFile, signal) => pullRepository(executor, dir, { logFile, signal }),
    commitsBetween: (range, signal) => commitsBetween(executor, range, signal),
    async fetch({ source, cacheDir }, signal) {
      checkSource(source);
      const root = join(cacheDir, source.name);
      mkdirSync(root, { recursive: true });
      await withTemporaryGit({ executor, signal }, (git) =>
        withFolderLock(join(root, 'lock'), { signal, onWait: () => undefined }, () =>
          updateMirror(git, mirrorDir(root, source), source),
        ),
      );
    },
    listRange: (request, signal) => listRange(executor, request, signal),
    findGitDir: (dir, env, signal) =>
      withOrigin(executor, { dir, env, signal }, async ({ origin }) => origin.commonDir),
    openWorkspace: (request, signal) => openWorkspace(executor, request, signal),
    preparePair: (request, signal) => preparePair(executor, request, signal),
  };
}

async function prepareFetched(git: Git, root: string, request: SourceRequest): Promise<Checkout> {
  const { source } = request;
  const mirror = mirrorDir(root, source);
  const head = await updateMirror(git, mirror, source);
  const revision = await resolveRef(git, mirror, source, head);
  const { commit } = revision;
  const dir = checkoutDir(root, source, commit);

  if (await isIntact(git, dir, commit)) {
    git.shell.note(`Commit ${commit} was built before.`);
    await showBranch(git, dir, revision);
  } else {
    if (existsSync(dir)) git.shell.note('The checkout is unfinished or was changed: making it again.');
    await makeCheckout(git, source, { mirror, dir, revision });
    await buildAndRecord(git, dir, commit, request);
  }
  writeRecord(dir, source, { commit, state: 'built', changes: await changesIn(git, dir) });
  useCheckout(dir, groupOf(source));
  await pruneCheckouts(root, source.keep, git.shell);
  return toCheckout(git, dir, commit);
}

async function buildAndRecord(git: Git, dir: string, commit: string, request: SourceRequest): Promise<void> {
  try {
    await buildCheckout(git.shell, dir, request);
  } catch (error) {
    writeRecord(dir, request.source, { commit, state: 'failed', changes: '' });
    throw error;
  }
  if ((await git.query(dir, ['rev-parse', 'HEAD'])) === commit) return;
  writeRecord(dir, request.source, { commit, state: 'failed', changes: '' });
  throw new NightmarkError(
    'SOURCE_BUILD_FAILED',
    `The build of the source ${request.source.name} left another commit checked out than ${commit}.`,
    { hint: 'A build command must not switch branches or pull: set "ref" to the wanted revision.' },
  );
}

async function useNewest(git: Git, root: string, { source }: SourceRequest): Promise<Checkout> {
  const newest = newestBuilt(root, source);
  const commit = newest?.record?.commit;
  const isThere = newest && (await git.query(newest.dir, ['rev-parse', 'HEAD'])) === commit;
  if (!newest || commit === undefined || !isThere)
    throw new NightmarkError(
      'SOURCE_NOT_BUILT',
      `The source ${source.name}${source.ref === undefined ? '' : ` (${source.ref})`} has no built checkout.`,
      { hint: 'Run once without --no-build.' },
    );
  git.shell.note(`Nothing is fetched; the newest built checkout is ${commit}.`);
  useCheckout(newest.dir, groupOf(source));
  return toCheckout(git, newest.dir, commit);
}

async function toCheckout(git: Git, dir: string, commit: string): Promise<Checkout> {
  const shortCommit = (await git.query(dir, ['rev-parse', '--short', 'HEAD'])) ?? commit.slice(0, 7);
  return { dir, commit, shortCommit };
}
