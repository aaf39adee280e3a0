import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../../platform/core/errors.ts';
import { listCheckouts, type RecordedCheckout } from './checkout-record.ts';
import { lifeOf, ownIdentity, parseIdentity } from './process-identity.ts';
import type { Shell } from './shell.ts';

/** Revisions that nobody asked for in this time are given up, however few checkouts there are. */
const FORGET_MS = 30 * 24 * 3600 * 1000;

/** Marks the checkout as used by this process, until it ends or asks for the same thing again. */
export function useCheckout(dir: string, group: string): void {
  const suffix = useSuffix(group);
  for (const name of readdirSync(dirname(dir))) {
    if (name.endsWith(suffix)) rmSync(join(dirname(dir), name), { force: true });
  }
  writeFileSync(`${dir}${suffix}`, JSON.stringify(ownIdentity()));
}

/** Takes the mark away before the process ends. */
export function releaseCheckout(dir: string, group: string): void {
  rmSync(`${dir}${useSuffix(group)}`, { force: true });
}

/**
 * Removes what is beyond the newest `keep` checkouts of each revision, and what unfinished work left. The caller
 * holds the lock of the source; a checkout in use by a living process stays.
 */
export async function pruneCheckouts(root: string, keep: number, shell: Shell): Promise<void> {
  const all = listCheckouts(root);
  const wanted = new Set(newestOfEach(all, Math.max(1, keep)));
  for (const { dir } of all) {
    if (wanted.has(dir) || isInUse(dir)) continue;
    for (const ending of ['json', 'log']) rmSync(`${dir}.${ending}`, { force: true });
    await removeTree(dir, shell);
    shell.note(`Removed the older checkout ${basename(dir)}.`);
  }
  for (const name of readdirSync(root)) {
    if (name.startsWith('.tmp-')) await removeTree(join(root, name), shell);
  }
}

/** Removes a tree; a build may have left folders without write permission. A failure is noted and costs only space. */
export async function removeTree(dir: string, shell: Shell): Promise<void> {
  if (!existsSync(dir)) return;
  const doomed = basename(dir).startsWith('.tmp-')
    ? dir
    : join(dirname(dir), `.tmp-old-${Date.now()}-${basename(dir)}`);
  try {
    if (doomed !== dir) renameSync(dir, doomed);
    try {
      rmSync(doomed, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      makeWritable(doomed);
      rmSync(doomed, { recursive: true, force: true });
    }
  } catch (error) {
    shell.note(`Could not remove ${doomed}: ${messageOf(error)}`);
  }
}

function useSuffix(group: string): string {
  return `.use.${process.pid}-${group}`;
}

function newestOfEach(all: readonly RecordedCheckout[], keep: number): readonly string[] {
  const uses = all.flatMap(({ dir, record }) =>
    (record?.uses ?? []).map(({ ref, at }) => ({ dir, at, group: `${dir.slice(-8)} ${ref}` })),
  );
  const recent = uses.filter(({ at }) => Date.now() - at < FORGET_MS).sort((a, b) => b.at - a.at);
  const kept = new Map<string, number>();
  return recent.flatMap(({ dir, group }) => {
    const count = kept.get(group) ?? 0;
    kept.set(group, count + 1);
    return count < keep ? [dir] : [];
  });
}

function isInUse(dir: string): boolean {
  const prefix = `${basename(dir)}.use.`;
  const leases = readdirSync(dirname(dir)).filter((name) => name.startsWith(prefix));
  return leases.map((name) => isAlive(join(dirname(dir), name))).includes(true);
}

function isAlive(lease: string): boolean {
  const owner = parseIdentity(readFileSync(lease, 'utf8'));
  const isFresh = Date.now() - lstatSync(lease).mtimeMs < FORGET_MS;
  const life = owner ? lifeOf(owner) : 'dead';
  if (life === 'alive' || (life === 'unknown' && isFresh)) return true;
  rmSync(lease, { force: true });
  return false;
}

function makeWritable(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(dir, entry.name));
  }
}
