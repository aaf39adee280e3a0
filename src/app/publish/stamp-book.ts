import { NightmarkError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { SiteFile } from '../../core/site/site-file.ts';

/** What the content of a file was when it had some stamp. It is the same for every target. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
}

/** Remembers contents by their stamps, so that what did not change is not made again. */
export interface StampBook {
  find(file: SiteFile): Content | undefined;
  learn(file: SiteFile, content: Content): void;
  /** The paths of the parts that a file had when it had this stamp. */
  partsOf(file: SiteFile): readonly string[];
  learnParts(file: SiteFile, paths: readonly string[]): void;
  /** Writes down what was asked for or learned; the rest is forgotten. */
  save(): Promise<void>;
}

type Row = readonly [stamp: string, sha256: string, size: number, parts?: readonly string[]];

/** `isFresh`: nothing is believed that was written down. */
export async function openStampBook(path: string, disk: Disk, isFresh = false): Promise<StampBook> {
  const before = isFresh ? new Map<string, Row>() : await readRows(path, disk);
  const now = new Map<string, Row>();
  return {
    find({ path: file, stamp }) {
      const row = stamp === undefined ? undefined : before.get(file);
      if (!row || row[0] !== stamp) return undefined;
      now.set(file, row);
      return { sha256: row[1], size: row[2] };
    },
    learn({ path: file, stamp }, { sha256, size }) {
      if (stamp !== undefined) now.set(file, [stamp, sha256, size]);
    },
    partsOf: ({ path: file }) => now.get(file)?.[3] ?? [],
    learnParts({ path: file }, paths) {
      const row = now.get(file);
      if (row && paths.length > 0) now.set(file, [row[0], row[1], row[2], paths]);
    },
    save: () => disk.writeText(path, `${JSON.stringify([...now])}\n`),
  };
}

/** A memory that cannot be read is no memory: everything is looked at again. */
async function readRows(path: string, disk: Disk): Promise<Map<string, Row>> {
  try {
    const rows = JSON.parse((await disk.readText(path)) ?? '[]') as unknown;
    return new Map(Array.isArray(rows) ? rows.filter(isRow) : []);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NightmarkError) return new Map();
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
