import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../../executors/core/executor.ts';
import { ownIdentity, parseIdentity, processLife } from '../../platform/adapters/process-identity.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { CommitWorkspace, WorkspaceRequest } from '../core/commit-history.ts';
import type { Version } from '../core/version-pairs.ts';
import { checkOutCommit } from './borrowed-repository.ts';
import { buildSide, noFolder } from './build-command.ts';
import { removeTree, repositoryCache } from './checkout-cache.ts';
import { withFolderLock } from './folder-lock.ts';
import { type Git, openGit } from './git-command.ts';
import { findUserRepository, type UserRepository } from './user-repository.ts';

/** Opens the folder of a search, and removes those of searches whose process is dead. */
export async function openWorkspace(
  executor: Executor,
  request: WorkspaceRequest,
  signal: CancelSignal,
): Promise<CommitWorkspace> {
  const { cacheDir, env, name } = request;
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  // Two searches may begin at the same time.
  const logFile = join(cacheDir, `git-${process.pid}-${name}.log`);
  const git = await openGit({ executor, logFile, env, signal, allowLocalSubmodules: true });
  const { origin, prefix } = await findUserRepository(git, request.dir);
  const root = repositoryCache(cacheDir, origin.dir);
  const dir = join(root, name);
  mkdirSync(root, { recursive: true });
  await withFolderLock(join(root, 'lock'), { signal, onWait: () => {} }, async () => {
    await removeDead(root, name, git);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, OWNER), JSON.stringify(ownIdentity()));
  });
  const kept: string[] = [];
  return {
    dir,
    has: (version, build) => isBuilt(folderOf(dir, version, build)),
    async prepare(version, build = 0) {
      const work = { executor, request, signal, git, origin, prefix, dir };
      const made = await prepareCommit(work, version, build);
      const at = kept.indexOf(made);
      if (at < 0) kept.push(made);
      else if (at > 0) kept.push(...kept.splice(at, 1));
      // The first one is the good commit, which every pair needs.
      while (kept.length > KEEP) for (const old of kept.splice(1, 1)) await removeTree(old, git.shell);
      return made;
    },
    async close() {
      await removeTree(dir, git.shell);
      await removeTree(logFile, git.shell);
    },
  };
}

const OWNER = 'owner.json';
const BUILT = '.nightmark-built';
/** Built checkouts that are kept on disk: what is measured in turns, each built two or three times. */
const KEEP = 12;

interface Work {
  readonly executor: Executor;
  readonly request: WorkspaceRequest;
  readonly signal: CancelSignal;
  readonly git: Git;
  readonly origin: UserRepository;
  readonly prefix: string;
  readonly dir: string;
}

/** Paths of all builds have the same length: it is a part of what a program sees. */
function folderOf(root: string, { commit }: Version, build: number): string {
  const ending = build === 0 ? '' : `-${build}`;
  return join(root, `${commit.slice(0, commit.length - ending.length)}${ending}`);
}

function isBuilt(dir: string): boolean {
  return existsSync(dir) && existsSync(`${dir}${BUILT}`);
}

async function prepareCommit(work: Work, version: Version, number: number): Promise<string> {
  const { executor, request, signal, git, origin, prefix } = work;
  const { build, env } = request;
  const dir = folderOf(work.dir, version, number);
  if (isBuilt(dir)) return dir;
  await removeTree(dir, git.shell);
  const temporary = join(work.dir, '.tmp-checkout');
  await removeTree(temporary, git.shell);
  await checkOutCommit(git, origin, { commit: version.commit, dir: temporary });
  renameSync(temporary, dir);
  if (!existsSync(join(dir, prefix))) throw noFolder('B', version, prefix);
  if (build) {
    const cwd = build.in === 'root' ? dir : join(dir, prefix);
    await buildSide(executor, { side: 'B', version, build, dir, cwd, logFile: `${dir}.log`, env }, signal);
  }
  writeFileSync(`${dir}${BUILT}`, '');
  return dir;
}

async function removeDead(root: string, wanted: string, git: Git): Promise<void> {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const dir = join(root, entry.name);
    if (!entry.isDirectory() || !existsSync(join(dir, OWNER))) continue;
    const owner = parseIdentity(readFileSync(join(dir, OWNER), 'utf8'));
    const isDead = owner === undefined || processLife(owner) === 'dead';
    if (entry.name !== wanted) {
      if (isDead) await removeTree(dir, git.shell);
    } else if (!isDead) {
      throw new NightmarkError(
        'BISECT_BUSY',
        `The search ${wanted} is running in process ${owner.pid} on ${owner.host}.`,
        { hint: 'Wait for it, or start another one.' },
      );
    }
  }
}
