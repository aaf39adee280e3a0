import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Executor } from '../../../../executors/core/executor.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { PairRequest, VersionPair } from '../../../core/version-pairs.ts';
import { withFolderLock } from '../folder-lock.ts';
import { openGit } from '../git-command.ts';
import { pruneCheckouts, removeTree } from '../prune.ts';
import { checkOutCommit } from './check-out-commit.ts';
import { findOrigin } from './find-origin.ts';
import { KEEP, type PairWork, prepareSide, releaseSides } from './prepare-side.ts';
import { describeVersion, resolveBaseline } from './resolve-versions.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Both versions in folders of ours, built; nothing of the user's repository changes. */
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
    const { origin, prefix } = await findOrigin(git, request.dir);
    const root = join(cacheDir, `${basename(origin.dir)}-${shortHash(origin.dir)}`);
    mkdirSync(root, { recursive: true });
    const onWait = (owner: string) => request.report({ step: 'waiting', owner });
    return await withFolderLock(join(root, 'lock'), { signal, onWait }, async () => {
      await pruneCheckouts(root, KEEP, git.shell); // what a dead process left, before disk space is needed
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
    await refuseEqual(work, baseline, snapshot);
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

async function refuseEqual(
  { origin, request }: PairWork,
  baseline: string,
  { tree, changedSubmodules }: Snapshot,
): Promise<void> {
  const other = await origin.git.ask(origin.dir, ['rev-parse', `${baseline}^{tree}`]);
  if (other !== tree || changedSubmodules.length > 0) return;
  const { shortCommit } = await describeVersion(origin, baseline, false);
  const what = request.base === 'ref' ? request.ref : `the commit that it shares with ${request.ref}`;
  throw new NightmarkError(
    'DUET_NOTHING_TO_COMPARE',
    `The working tree is the same as ${what} (${shortCommit}): there is nothing to compare.`,
    { hint: 'Change something, or name an older commit: --against HEAD~1' },
  );
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
