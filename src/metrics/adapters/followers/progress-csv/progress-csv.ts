import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { parseCsv } from '../../../../platform/core/text/csv.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import { compareCodePoints } from '../../../../platform/core/text/text-order.ts';
import type { FollowedRecord, Follower, FollowStep } from '../../../core/follower.ts';
import { readChunk } from '../read-chunk.ts';
import { toRecord } from './row-record.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A row this large means that a quote was never closed. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;
/** This many bytes before the position must be unchanged, or the file was rewritten. */
const TAIL_BYTES = 64;

interface Position {
  readonly bytes: number;
  readonly header: readonly string[];
  /** Where the first row ends, and a hash of it: it grows when the file is rewritten. */
  readonly headBytes: number;
  readonly headHash: string;
  /** The bytes right before the position, in hexadecimal. */
  readonly tail: string;
  readonly chain: RowChain;
}

/**
 * progress.csv as dowel and others write it: when a column is added the whole file is rewritten with all columns, and it
 * is briefly short or missing. Rows are recognized by their content (RowChain), not by their position.
 */
const progressCsv: Follower = {
  id: 'progress-csv',
  title: 'progress.csv of dowel, rllab, garage, baselines',
  follows: (name) => name === 'progress.csv',

  async read(path, given) {
    const previous = toPosition(given);
    const isSame = previous.bytes === 0 || (await isUnchanged(path, previous));
    if (isSame) return readRows(path, previous, previous.chain.rows);
    return readRewritten(path, previous);
  },
};

/** Skips rows that were read before, until it is past them, or finds that they are others. */
async function readRewritten(path: string, previous: Position): Promise<FollowStep | undefined> {
  let position: Position = { ...START, chain: new RowChain() };
  for (;;) {
    const step = await readRows(
      path,
      position,
      previous.chain.rows,
      previous.chain.rows - position.chain.rows,
    );
    if (!step) return undefined;
    position = toPosition(step.position);
    if (!position.chain.isBeginningOf(previous.chain))
      return readRows(path, { ...START, chain: new RowChain() }, 0);
    if (position.chain.rows === previous.chain.rows) return { ...step, records: [], hasMore: true };
    // It is being rewritten, or was truncated: the rows will come back.
    if (!step.hasMore) return { ...step, records: [], position: fromPosition(previous), isWaiting: true };
  }
}

/** Rows after the position; those before `firstNew` are skipped, and no more than `maxRows` are read. */
async function readRows(
  path: string,
  from: Position,
  firstNew: number,
  maxRows = Number.POSITIVE_INFINITY,
): Promise<FollowStep | undefined> {
  const chunk = await completeChunk(path, from.bytes);
  if (!chunk) return undefined;
  const { size, modifiedAt } = chunk;
  const end = endOfRows(chunk.bytes);
  const chain = RowChain.from(from.chain.rows, from.chain.hash, from.chain.marks);
  const records: FollowedRecord[] = [];
  const problems: string[] = [];
  let header = from.header;
  let taken = 0;
  for (const row of rowsOf(chunk.bytes.subarray(0, end))) {
    if (chain.rows - from.chain.rows >= maxRows) break;
    taken = row.end;
    if (row.cells === undefined)
      problems.push(`after row ${chain.rows}: a row has unbalanced quotes; it is skipped`);
    if (row.cells === undefined || row.cells.length === 0) continue;
    if (isHeader(row.cells, header)) {
      header = row.cells;
      continue;
    }
    if (row.cells.length > header.length) problems.push(`row ${chain.rows + 1} has cells without a name`);
    chain.add(header, row.cells);
    if (chain.rows > firstNew) records.push(toRecord(header, row.cells, chain.rows));
  }
  const tooLong = end === 0 && chunk.bytes.length >= MAX_ROW_BYTES;
  if (tooLong) problems.push(`row ${chain.rows + 1} is longer than ${MAX_ROW_BYTES / 1024 / 1024} MB`);
  const bytes = from.bytes + taken;
  const before = hexOf(chunk.bytes.subarray(Math.max(0, taken - TAIL_BYTES), taken));
  const tail = `${from.tail}${before}`.slice(-2 * TAIL_BYTES);
  const headBytes = from.bytes > 0 ? from.headBytes : Math.min(taken, chunk.bytes.indexOf(10) + 1);
  const headHash = from.bytes > 0 ? from.headHash : hashOf(chunk.bytes.subarray(0, headBytes));
  return {
    records,
    problems,
    position: fromPosition({ bytes, header, headBytes, headHash, tail, chain }),
    hasMore: taken > 0 && bytes < size,
    isWaiting: bytes < size && !tooLong,
    modifiedAt,
  };
}

async function completeChunk(path: string, from: number) {
  const chunk = await readChunk(path, from, CHUNK_BYTES);
  const isCut = chunk && chunk.bytes.length === CHUNK_BYTES && endOfRows(chunk.bytes) === 0;
  return isCut ? readChunk(path, from, MAX_ROW_BYTES) : chunk;
}

/** Each row with the offset of its end; a row that cannot be parsed has no cells. */
function* rowsOf(bytes: Uint8Array): Generator<{ cells: readonly string[] | undefined; end: number }> {
  const decoder = new TextDecoder();
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 34) isQuoted = !isQuoted;
    if (bytes[at] !== 10 || isQuoted) continue;
    const rows = parseCsv(decoder.decode(bytes.subarray(start, at + 1)));
    yield { cells: rows === undefined ? undefined : (rows[0] ?? []), end: at + 1 };
    start = at + 1;
  }
}

/** The first row, and a later one that names all columns again: some writers add columns in this way. */
function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  return (
    header.length === 0 ||
    (header.some((name) => name !== '') && header.every((name) => cells.includes(name)))
  );
}

async function isUnchanged(path: string, { bytes, headBytes, headHash, tail }: Position): Promise<boolean> {
  const from = Math.max(0, bytes - TAIL_BYTES);
  const head = await readChunk(path, 0, headBytes);
  const end = await readChunk(path, from, bytes - from);
  return (
    head !== undefined && end !== undefined && hashOf(head.bytes) === headHash && hexOf(end.bytes) === tail
  );
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function hashOf(bytes: Uint8Array): string {
  return textHash(hexOf(bytes));
}

function toPosition(given: JsonObject | undefined): Position {
  const { bytes, rows, hash, tail, headBytes, headHash } = given ?? {};
  const header = given?.['header'];
  const marks = given?.['marks'];
  if (
    typeof bytes !== 'number' ||
    typeof rows !== 'number' ||
    typeof hash !== 'string' ||
    typeof tail !== 'string'
  )
    return START;
  if (typeof headBytes !== 'number' || typeof headHash !== 'string') return START;
  if (!Array.isArray(header) || !Array.isArray(marks)) return START;
  return {
    bytes,
    tail,
    headBytes,
    headHash,
    header: header.map(String),
    chain: RowChain.from(rows, hash, marks.map(String)),
  };
}

function fromPosition({ chain, ...place }: Position): JsonObject {
  return { ...place, rows: chain.rows, hash: chain.hash, marks: chain.marks };
}

export default progressCsv;

const LF = 10;
const QUOTE = 34;

/** Where the last complete row ends: after a newline outside of quotes. 0 when there is none. */
function endOfRows(bytes: Uint8Array): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[at] === LF && !isQuoted) end = at + 1;
  }
  return end;
}

/**
 * A hash over rows that does not change when the file is rewritten with other columns: over the names and cells that are
 * not empty, by name. Kept after 1, 2, 4, 8 ... rows and after the last one, so that another file with fewer rows is
 * detected.
 */
class RowChain {
  #rows = 0;
  #hash = '';
  readonly #marks: string[] = [];

  get rows(): number {
    return this.#rows;
  }

  get hash(): string {
    return this.#hash;
  }

  get marks(): readonly string[] {
    return this.#marks;
  }

  static from(rows: number, hash: string, marks: readonly string[]): RowChain {
    const chain = new RowChain();
    chain.#rows = rows;
    chain.#hash = hash;
    chain.#marks.push(...marks);
    return chain;
  }

  add(header: readonly string[], cells: readonly string[]): void {
    const named = header.flatMap((name, at) => (cells[at] ? [`${name}\0${cells[at]}`] : []));
    this.#hash = textHash(`${this.#hash}\n${named.sort(compareCodePoints).join('\n')}`);
    this.#rows++;
    if ((this.#rows & (this.#rows - 1)) === 0) this.#marks.push(this.#hash);
  }

  /** Whether these are the first rows of the other, as far as the marks show. */
  isBeginningOf(other: RowChain): boolean {
    if (this.#rows === other.#rows) return this.#hash === other.#hash;
    return this.#marks.every((mark, at) => mark === other.#marks[at]);
  }
}

const START: Position = { bytes: 0, header: [], headBytes: 0, headHash: '', tail: '', chain: new RowChain() };
