import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { SiteFile } from '../../core/site/site-map.ts';
import { type ByteTools, hashText } from './load-file.ts';
import type { SiteAddress } from './site-addresses.ts';

/** What the content of a file was when it had some stamp. It is the same for every target. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
}

/** Contents by their stamps, so that what did not change is not made again. */
export interface PublishCache extends OutlineCache {
  find(file: SiteFile): Content | undefined;
  set(file: SiteFile, content: Content): void;
  /** The parts that a file had when it had this stamp, with the stamps that they have themselves. */
  partsOf(file: SiteFile): readonly Pick<SiteFile, 'path' | 'stamp'>[];
  setParts(file: SiteFile, paths: readonly string[]): void;
  /** Writes what was read or added; the rest is dropped. */
  save(): Promise<void>;
}

type Row = readonly [stamp: string, sha256: string, size: number, parts?: readonly string[]];

/** `isFresh`: what was stored is ignored. */
export async function openPublishCache(path: string, disk: Disk, isFresh = false): Promise<PublishCache> {
  const stored = isFresh ? { rows: new Map<string, Row>() } : await readCache(path, disk);
  const before = stored.rows;
  let outline: StoredOutline | undefined = stored.outline;
  const now = new Map<string, Row>();
  return {
    outline: (key) => (outline?.key === key ? outline.outline : undefined),
    setOutline(key, made) {
      outline = { key, outline: made };
    },
    find({ path: file, stamp }) {
      const row = stamp === undefined ? undefined : before.get(file);
      if (!row || row[0] !== stamp) return undefined;
      now.set(file, row);
      return { sha256: row[1], size: row[2] };
    },
    set({ path: file, stamp }, { sha256, size }) {
      if (stamp !== undefined) now.set(file, [stamp, sha256, size]);
    },
    partsOf: ({ path: file }) =>
      (now.get(file)?.[3] ?? []).map((part) => ({ path: part, stamp: before.get(part)?.[0] ?? '' })),
    setParts({ path: file }, paths) {
      const row = now.get(file);
      if (row && paths.length > 0) now.set(file, [row[0], row[1], row[2], paths]);
    },
    save: () => disk.writeText(path, `${JSON.stringify({ outline, files: [...now] })}\n`),
  };
}

interface StoredOutline {
  readonly key: string;
  readonly outline: Outline;
}

interface StoredCache {
  readonly rows: Map<string, Row>;
  readonly outline?: StoredOutline;
}

/** A cache that cannot be read is ignored: everything is compared again. */
async function readCache(path: string, disk: Disk): Promise<StoredCache> {
  try {
    const content = (JSON.parse((await disk.readText(path)) ?? '{}') ?? {}) as Record<string, unknown>;
    const rows = new Map(Array.isArray(content['files']) ? content['files'].filter(isRow) : []);
    const { key, outline } = (content['outline'] ?? {}) as { key?: unknown; outline?: unknown };
    const kept = readOutline(outline);
    return { rows, ...(typeof key === 'string' && kept && { outline: { key, outline: kept } }) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NightmarkError) return { rows: new Map() };
    throw error;
  }
}

function isRow(row: unknown): row is [string, Row] {
  const [path, known] = Array.isArray(row) ? row : [];
  return (
    typeof path === 'string' &&
    Array.isArray(known) &&
    typeof known[0] === 'string' &&
    typeof known[1] === 'string' &&
    typeof known[2] === 'number' &&
    (known[3] === undefined ||
      (Array.isArray(known[3]) && known[3].every((part) => typeof part === 'string')))
  );
}

/**
 * Which documents follow from the index, the ledger of changes and the definition, with what they depend on. While none of
 * these changed it is read from the publish cache, and the index is not queried at all.
 */
export interface Outline {
  readonly experiments: readonly string[];
  /** Their facts as hashes. */
  readonly addresses: readonly SiteAddress[];
}

/** Keeps the newest outline. */
export interface OutlineCache {
  outline(key: string): Outline | undefined;
  setOutline(key: string, outline: Outline): void;
}

export async function makeOutline(
  experiments: readonly string[],
  addresses: AsyncIterable<SiteAddress>,
  tools: ByteTools,
): Promise<Outline> {
  const brief: SiteAddress[] = [];
  for await (const one of addresses) brief.push(withHash(one, tools));
  return { experiments, addresses: brief };
}

/** Facts may be long, and thousands of addresses are held. */
export function withHash(one: SiteAddress, tools: ByteTools): SiteAddress {
  return one.facts === undefined ? one : { ...one, facts: hashText(JSON.stringify(one.facts), tools) };
}

/** When the pictures and the summary of an experiment were changed. */
export async function touchedFiles(home: string, name: string, disk: Disk): Promise<string> {
  const layout = homeLayout(home);
  const paths = [layout.graph(name), joinPath(layout.summary(name), 'summary.json')];
  const facts = await Promise.all(paths.map((path) => disk.stat(path)));
  return facts.map((one) => one?.changedAt ?? '').join(' ');
}

/** A stored value as an outline, if it is one. */
export function readOutline(value: unknown): Outline | undefined {
  const { experiments, addresses } = (value ?? {}) as { experiments?: unknown; addresses?: unknown };
  if (!Array.isArray(experiments) || !experiments.every((name) => typeof name === 'string')) return undefined;
  if (!Array.isArray(addresses) || !addresses.every(isAddress)) return undefined;
  return { experiments, addresses };
}

function isAddress(value: unknown): value is SiteAddress {
  const { address, facts, history, showsFilesOf } = (value ?? {}) as Partial<
    Record<keyof SiteAddress, unknown>
  >;
  const { name, first } = (history ?? { name: '', first: 0 }) as { name?: unknown; first?: unknown };
  return (
    typeof address === 'string' &&
    [facts, showsFilesOf].every((one) => ['string', 'undefined'].includes(typeof one)) &&
    typeof name === 'string' &&
    typeof first === 'number'
  );
}
