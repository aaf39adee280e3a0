import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../../core/source-control.ts';
import { withoutSecrets } from './shell.ts';

/** What is known about a checkout, in a file beside it: no build script can touch it by cleaning its folder. */
export interface CheckoutRecord {
  readonly commit: string;
  readonly git: string;
  readonly build: string;
  readonly state: 'built' | 'failed';
  /** Hash of what the build itself changed in tracked files. */
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

/** Of all that is measured from one revision in one way only the newest count. */
export function groupOf(source: Source): string {
  return shortHash(`${keyOf(source)}\0${source.ref ?? ''}`);
}

export function readRecord(dir: string): CheckoutRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(`${dir}.json`, 'utf8')) as CheckoutRecord;
    const isWhole = typeof record.commit === 'string' && typeof record.changes === 'string';
    return isWhole && Array.isArray(record.uses) ? record : undefined;
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
