import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Source } from '../core/source-control.ts';
import type { PairRequest, Side, Version, VersionPair } from '../core/version-pairs.ts';
import { checkOutCommit } from './borrowed-repository.ts';
import { buildSide, noFolder } from './build-command.ts';
import { changesIn, isIntact } from './checkout.ts';
import {
  checkoutDir,
  groupOf,
  pruneCheckouts,
  releaseCheckout,
  removeTree,
  repositoryCache,
  useCheckout,
  writeRecord,
} from './checkout-cache.ts';
import { withFolderLock } from './folder-lock.ts';
import { type Git, openGit } from './git-command.ts';
import {
  describeVersion,
  findUserRepository,
  resolveBaseline,
  type UserRepository,
} from './user-repository.ts';
import { type Snapshot, takeSnapshot } from './working-tree-snapshot.ts';

/** Both versions in folders of our own, built; nothing in the user's repository changes. */
export async function preparePair(
  executor: Executor,
  request: PairRequest,
  signal: CancelSignal,
): Promise<VersionPair> {
  const { cacheDir, env } = request;
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  const logFile = join(cacheDir, `git-${process.pid}.log`);
  try {
    const git = await openGit({ executor, logFile, env, signal, allowLocalSubmodules: true });
    const { origin, prefix } = await findUserRepository(git, request.dir);
    const root = repositoryCache(cacheDir, origin.dir);
    mkdirSync(root, { recursive: true });
    const onWait = (owner: string) => request.report({ step: 'waiting', owner });
    return await withFolderLock(join(root, 'lock'), { signal, onWait }, async () => {
      await pruneCheckouts(root, KEEP, git.shell); // leftovers of a dead process, before disk space is needed
      const pair = await prepareBoth({ executor, request, signal, git, origin, prefix, root });
      await pruneCheckouts(root, KEEP, git.shell);
      return pair;
    });
  } finally {
    rmSync(logFile, { force: true });
  }
}

async function prepareBoth(work: PairWork): Promise<VersionPair> {
  const { git, origin, prefix, request, root } = work;
  const baseline = await resolveBaseline(origin, request);
  const made = { A: join(root, `.tmp-pair-${process.pid}-A`), B: join(root, `.tmp-pair-${process.pid}-B`) };
  try {
    const snapshot = await takeSnapshot(git, origin, made.B);
    await requireDifference(work, baseline, snapshot);
    const A = await describeVersion(origin, baseline, false);
    const B = await describeVersion(origin, snapshot.head, snapshot.isChanged);
    request.report({ step: 'found', A, B });
    const checkOutA = () => checkOutCommit(git, origin, { commit: baseline, dir: made.A });
    const dirs = {
      A: await prepareSide(work, {
        side: 'A',
        version: A,
        commit: baseline,
        made: made.A,
        checkOut: checkOutA,
      }),
      B: await prepareSide(work, {
        side: 'B',
        version: B,
        commit: snapshot.commit,
        made: made.B,
        checkOut: snapshot.fill,
      }),
    };
    const sides = { A: { ...A, dir: dirs.A }, B: { ...B, dir: dirs.B } };
    return { root: origin.dir, prefix, sides, release: async () => releaseSides(work, dirs) };
  } finally {
    await removeTree(made.A, git.shell);
    await removeTree(made.B, git.shell);
  }
}

async function requireDifference(
  { origin, request }: PairWork,
  baseline: string,
  { tree, changedSubmodules }: Snapshot,
): Promise<void> {
  const other = await origin.git.query(origin.dir, ['rev-parse', `${baseline}^{tree}`]);
  if (other !== tree || changedSubmodules.length > 0) return;
  const { shortCommit } = await describeVersion(origin, baseline, false);
  const what = request.base === 'ref' ? request.ref : `the commit that it shares with ${request.ref}`;
  throw new NightmarkError(
    'DUET_NOTHING_TO_COMPARE',
    `The working tree is the same as ${what} (${shortCommit}): there is nothing to compare.`,
    { hint: 'Change something, or name an older commit: --against HEAD~1' },
  );
}

/** The newest checkouts of each side are kept, so that switching between two states builds nothing. */
const KEEP = 2;

export interface PairWork {
  readonly executor: Executor;
  readonly request: PairRequest;
  readonly signal: CancelSignal;
  readonly git: Git;
  readonly origin: UserRepository;
  readonly prefix: string;
  /** Folder of this repository in the cache; locked. */
  readonly root: string;
}

export interface SideWork {
  readonly side: Side;
  readonly version: Version;
  /** The content: for a changed working tree, a commit that we made. */
  readonly commit: string;
  /** Where the checkout is made before it gets its name. */
  readonly made: string;
  checkOut(): Promise<void>;
}

/** One side, built. Content and build command make its name; all names have the same length. */
async function prepareSide(work: PairWork, sideWork: SideWork): Promise<string> {
  const { git, prefix, request, root } = work;
  const { side, version, commit } = sideWork;
  const source = toSource(work, side);
  const dir = checkoutDir(root, source, commit);
  const isKept = !request.build?.again && (await isIntact(git, dir, commit));
  if (isKept) request.report({ step: 'reused', side, version });
  else await makeSide(work, sideWork, dir);
  if (!existsSync(join(dir, prefix))) throw noFolder(side, version, prefix);
  writeRecord(dir, source, { commit, state: 'built', changes: await changesIn(git, dir) });
  useCheckout(dir, groupOf(source));
  return dir;
}

function releaseSides(work: PairWork, dirs: Readonly<Record<Side, string>>): void {
  for (const side of ['A', 'B'] as const) releaseCheckout(dirs[side], groupOf(toSource(work, side)));
}

async function makeSide(
  { executor, git, prefix, request, signal }: PairWork,
  { side, version, made, checkOut }: SideWork,
  dir: string,
): Promise<void> {
  const { build, env } = request;
  await checkOut();
  await removeTree(dir, git.shell);
  renameSync(made, dir);
  if (!build) return;
  const logFile = `${dir}.log`;
  request.report({ step: 'building', side, version, logFile });
  const cwd = build.in === 'root' ? dir : join(dir, prefix);
  await buildSide(executor, { side, version, build, dir, cwd, logFile, env }, signal);
}

/** The checkout cache identifies checkouts by origin, build command and what they were made for. */
function toSource({ request: { build }, origin, prefix }: PairWork, side: Side): Source {
  const place = build?.in === 'dir' && prefix !== '' ? `${prefix}: ` : '';
  return {
    name: basename(origin.dir),
    git: origin.dir,
    ref: side,
    build: build === undefined ? '' : `${place}${build.command}`,
    skipWhenUnchanged: false,
    keep: KEEP,
  };
}
