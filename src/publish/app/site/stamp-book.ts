import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { SiteFile } from '../../core/site/site-file.ts';
import { type Outline, type OutlineBook, readOutline } from './outline.ts';

/** What the content of a file was when it had some stamp. It is the same for every target. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
}

/** Remembers contents by their stamps, so that what did not change is not made again. */
export interface StampBook extends OutlineBook {
  find(file: SiteFile): Content | undefined;
  learn(file: SiteFile, content: Content): void;
  /** The parts that a file had when it had this stamp, with the stamps that they have themselves. */
  partsOf(file: SiteFile): readonly Pick<SiteFile, 'path' | 'stamp'>[];
  learnParts(file: SiteFile, paths: readonly string[]): void;
  /** Writes down what was asked for or learned; the rest is forgotten. */
  save(): Promise<void>;
}

type Row = readonly [stamp: string, sha256: string, size: number, parts?: readonly string[]];

/** `isFresh`: nothing is believed that was written down. */
export async function openStampBook(path: string, disk: Disk, isFresh = false): Promise<StampBook> {
  const book = isFresh ? { rows: new Map<string, Row>() } : await readBook(path, disk);
  const before = book.rows;
  let outline: KeptOutline | undefined = book.outline;
  const now = new Map<string, Row>();
  return {
    outline: (key) => (outline?.key === key ? outline.outline : undefined),
    learnOutline(key, made) {
      outline = { key, outline: made };
    },
    find({ path: file, stamp }) {
      const row = stamp === undefined ? undefined : before.get(file);
      if (!row || row[0] !== stamp) return undefined;
      now.set(file, row);
      return { sha256: row[1], size: row[2] };
    },
    learn({ path: file, stamp }, { sha256, size }) {
      if (stamp !== undefined) now.set(file, [stamp, sha256, size]);
    },
    partsOf: ({ path: file }) =>
      (now.get(file)?.[3] ?? []).map((part) => ({ path: part, stamp: before.get(part)?.[0] ?? '' })),
    learnParts({ path: file }, paths) {
      const row = now.get(file);
      if (row && paths.length > 0) now.set(file, [row[0], row[1], row[2], paths]);
    },
    save: () => disk.writeText(path, `${JSON.stringify({ outline, files: [...now] })}\n`),
  };
}

interface KeptOutline {
  readonly key: string;
  readonly outline: Outline;
}

interface Book {
  readonly rows: Map<string, Row>;
  readonly outline?: KeptOutline;
}

/** A memory that cannot be read is no memory: everything is looked at again. */
async function readBook(path: string, disk: Disk): Promise<Book> {
  try {
    const book = (JSON.parse((await disk.readText(path)) ?? '{}') ?? {}) as Record<string, unknown>;
    const rows = new Map(Array.isArray(book['files']) ? book['files'].filter(isRow) : []);
    const { key, outline } = (book['outline'] ?? {}) as { key?: unknown; outline?: unknown };
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
