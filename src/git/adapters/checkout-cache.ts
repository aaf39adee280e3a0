import { createHash } from 'node:crypto';
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
import { ownIdentity, parseIdentity, processLife } from '../../platform/adapters/process-identity.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { Source } from '../core/source-control.ts';
import { type Shell, withoutSecrets } from './shell.ts';

/** The record of a checkout, in a file beside it: a build script that cleans its folder does not remove it. */
export interface CheckoutRecord {
  readonly commit: string;
  readonly git: string;
  readonly build: string;
  readonly state: 'built' | 'failed';
  /** Hash of what the build changed in tracked files. */
  readonly changes: string;
  /** Revisions it was prepared for, and when last. */
  readonly uses: readonly CheckoutUse[];
}

interface CheckoutUse {
  /** Empty for the default branch. */
  readonly ref: string;
  readonly at: number;
}

export interface RecordedCheckout {
  readonly dir: string;
  readonly record: CheckoutRecord | undefined;
}

/** The same commit from another place or with another build command is another checkout. */
export function checkoutDir(root: string, source: Source, commit: string): string {
  return join(root, `${commit}-${keyOf(source)}`);
}

export function mirrorDir(root: string, source: Source): string {
  return join(root, mirrorName(source.git));
}

export function mirrorName(git: string): string {
  return `mirror-${shortHash(git)}.git`;
}

/** The folder of a user's repository in the cache. */
export function repositoryCache(cacheDir: string, repository: string): string {
  return join(cacheDir, `${basename(repository)}-${shortHash(repository)}`);
}

/** Checkouts of one revision with one build command are a group: only its newest are kept. */
export function groupOf(source: Source): string {
  return shortHash(`${keyOf(source)}\0${source.ref ?? ''}`);
}

export function readRecord(dir: string): CheckoutRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(`${dir}.json`, 'utf8')) as CheckoutRecord;
    const isComplete = typeof record.commit === 'string' && typeof record.changes === 'string';
    return isComplete && Array.isArray(record.uses) ? record : undefined;
  } catch {
    return undefined; // never finished, or damaged: the checkout is made again
  }
}

export function writeRecord(
  dir: string,
  source: Source,
  facts: Pick<CheckoutRecord, 'commit' | 'state' | 'changes'>,
): void {
  const ref = source.ref ?? '';
  const others = readRecord(dir)?.uses.filter((use) => use.ref !== ref) ?? [];
  const record: CheckoutRecord = {
    ...facts,
    git: withoutSecrets(source.git),
    build: source.build ?? '',
    uses: [...others, { ref, at: Date.now() }],
  };
  const temporary = `${dir}.json.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(temporary, `${dir}.json`);
}

/** All checkouts of a source, finished or not. */
export function listCheckouts(root: string): readonly RecordedCheckout[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{40,64}-[0-9a-f]{8}$/.test(entry.name))
    .map(({ name }) => ({ dir: join(root, name), record: readRecord(join(root, name)) }));
}

/** The checkout that was last prepared and built for just this source. */
export function newestBuilt(root: string, source: Source): RecordedCheckout | undefined {
  const ours = listCheckouts(root).filter(
    ({ dir, record }) => dir.endsWith(`-${keyOf(source)}`) && record?.state === 'built',
  );
  const usedAt = ({ record }: RecordedCheckout) =>
    record?.uses.find((use) => use.ref === (source.ref ?? ''))?.at ?? 0;
  return ours.filter((it) => usedAt(it) > 0).sort((a, b) => usedAt(b) - usedAt(a))[0];
}

function keyOf({ git, build }: Source): string {
  return shortHash(`${git}\0${build ?? ''}`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Revisions that were not used for so long are removed, however few checkouts there are. */
const EXPIRY_MS = 30 * 24 * 3600 * 1000;

/** Marks the checkout as used by this process, until the process ends or uses another one of the group. */
export function useCheckout(dir: string, group: string): void {
  const suffix = useSuffix(group);
  for (const name of readdirSync(dirname(dir))) {
    if (name.endsWith(suffix)) rmSync(join(dirname(dir), name), { force: true });
  }
  writeFileSync(`${dir}${suffix}`, JSON.stringify(ownIdentity()));
}

/** Removes the mark before the process ends. */
export function releaseCheckout(dir: string, group: string): void {
  rmSync(`${dir}${useSuffix(group)}`, { force: true });
}

/**
 * Removes all but the newest `keep` checkouts of each revision, and leftovers of unfinished work. The caller holds the
 * lock of the source; a checkout that a running process uses stays.
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

/** Removes a tree; a build may have left folders without write permission. A failure is logged and costs only space. */
export async function removeTree(dir: string, shell: Shell): Promise<void> {
  if (!existsSync(dir)) return;
  const trash = basename(dir).startsWith('.tmp-')
    ? dir
    : join(dirname(dir), `.tmp-old-${Date.now()}-${basename(dir)}`);
  try {
    if (trash !== dir) renameSync(dir, trash);
    try {
      rmSync(trash, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      makeWritable(trash);
      rmSync(trash, { recursive: true, force: true });
    }
  } catch (error) {
    shell.note(`Could not remove ${trash}: ${messageOf(error)}`);
  }
}

function useSuffix(group: string): string {
  return `.use.${process.pid}-${group}`;
}

function newestOfEach(all: readonly RecordedCheckout[], keep: number): readonly string[] {
  const uses = all.flatMap(({ dir, record }) =>
    (record?.uses ?? []).map(({ ref, at }) => ({ dir, at, group: `${dir.slice(-8)} ${ref}` })),
  );
  const recent = uses.filter(({ at }) => Date.now() - at < EXPIRY_MS).sort((a, b) => b.at - a.at);
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
  const isFresh = Date.now() - lstatSync(lease).mtimeMs < EXPIRY_MS;
  const life = owner ? processLife(owner) : 'dead';
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
