import { existsSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Executor } from '../../../../executors/core/executor.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import type { Source } from '../../../core/source-control.ts';
import type { PairRequest, Side, Version } from '../../../core/version-pairs.ts';
import { changesIn, isIntact } from '../checkout.ts';
import { checkoutDir, groupOf, writeRecord } from '../checkout-record.ts';
import type { Git } from '../git-command.ts';
import { releaseCheckout, removeTree, useCheckout } from '../prune.ts';
import { buildSide, noFolder } from './build-side.ts';
import type { Origin } from './find-origin.ts';

/** Of each side the newest are kept, so that going back and forth between two states builds nothing. */
export const KEEP = 2;

export interface PairWork {
  readonly executor: Executor;
  readonly request: PairRequest;
  readonly signal: CancelSignal;
  readonly git: Git;
  readonly origin: Origin;
  readonly prefix: string;
  /** Folder of this repository in the cache; locked. */
  readonly root: string;
}

export interface SideWork {
  readonly side: Side;
  readonly version: Version;
  /** The content: for a changed working tree a commit of ours. */
  readonly commit: string;
  /** Where the checkout is made before it gets its name. */
  readonly made: string;
  checkOut(): Promise<void>;
}

/** One side, built, under a name that content and build command decide: all names have the same length. */
export async function prepareSide(work: PairWork, sideWork: SideWork): Promise<string> {
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

export function releaseSides(work: PairWork, dirs: Readonly<Record<Side, string>>): void {
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

/** The cache of sources knows checkouts by where they are from, how they are built and what they were made for. */
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
