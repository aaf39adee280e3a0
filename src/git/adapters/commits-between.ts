import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import type { Commit, CommitPart, CommitRange, CommitsBetween } from '../core/commit-log.ts';
import { listCheckouts, mirrorName } from './checkout-cache.ts';
import { type Git, withTemporaryGit } from './git-command.ts';

/** Reads the mirrors of a source as they are, without the lock: git's own files are safe to read while it fetches. */
export async function commitsBetween(
  executor: Executor,
  range: CommitRange,
  signal: CancelSignal,
): Promise<CommitsBetween | undefined> {
  const root = join(range.cacheDir, range.source);
  const isPossible = whyInvalidName(range.source) === undefined && [range.from, range.to].every(isHash);
  if (!isPossible || !existsSync(root)) return undefined;
  return withTemporaryGit({ executor, signal }, async (git) => {
    for (const mirror of readdirSync(root)
      .filter((name) => /^mirror-[0-9a-f]+\.git$/.test(name))
      .sort()) {
      const found = await readMirror(git, join(root, mirror), range);
      if (found) return { ...found, ...remoteOf(root, mirror) };
    }
    return undefined;
  });
}

async function readMirror(git: Git, mirror: string, range: CommitRange) {
  const [from, to] = [await commitOf(git, mirror, range.from), await commitOf(git, mirror, range.to)];
  if (from === undefined || to === undefined) return undefined;
  const added = await readPart(git, mirror, { range: `${from}..${to}`, limit: range.limit });
  const removed = await readPart(git, mirror, { range: `${to}..${from}`, limit: range.limit });
  return added && removed && { from, to, added, removed };
}

/** Undefined for a short hash that several commits begin with. */
function commitOf(git: Git, mirror: string, hash: string): Promise<string | undefined> {
  return git.query(mirror, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${hash}^{commit}`]);
}

async function readPart(
  git: Git,
  mirror: string,
  { range, limit }: { readonly range: string; readonly limit: number },
): Promise<CommitPart | undefined> {
  const count = await git.query(mirror, ['rev-list', '--count', range, '--']);
  const shape = [
    '--format=%H%x00%ct%x00%an%x00%s%x00',
    '--encoding=UTF-8',
    '--no-color',
    '--no-show-signature',
  ];
  const log = await git.query(mirror, ['log', ...shape, `--max-count=${Math.max(0, limit)}`, range, '--']);
  if (count === undefined || log === undefined) return undefined;
  return { count: Number(count), commits: toCommits(log) };
}

function toCommits(log: string): readonly Commit[] {
  const fields = log.split('\0');
  const commits: Commit[] = [];
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const [hash = '', seconds = '', author = '', subject = ''] = fields.slice(index, index + 4);
    commits.push({ hash: hash.trim(), subject, author, at: Number(seconds) * 1000 });
  }
  return commits;
}

/** A mirror is named after a hash of its address; the records of checkouts have the addresses, without secrets. */
function remoteOf(root: string, mirror: string): { readonly remote?: string } {
  const addresses = [...new Set(listCheckouts(root).flatMap(({ record }) => (record ? [record.git] : [])))];
  const remote =
    addresses.find((git) => mirrorName(git) === mirror) ??
    (addresses.length === 1 ? addresses[0] : undefined);
  return remote === undefined ? {} : { remote: remote.replace(/^([a-z+]+:\/\/)[^/]*@/i, '$1') };
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{4,64}$/i.test(text);
}
