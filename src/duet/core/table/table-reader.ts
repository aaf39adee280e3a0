import { showCell } from '../../../formats/core/cell.ts';
import { decimalNs } from '../../../formats/core/iteration-reading.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import { type CsvRecord, CsvScanner, wholeNumber } from '../../../platform/core/text/csv-scanner.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { decodeUtf8 } from '../../../platform/core/text/utf8.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { closeRun, type OpenRun, offsetIn } from './collect-runs.ts';
import { cellText, findTableColumns, RunIndex, type TableColumns } from './table-runs.ts';

/** Reads a table of iterations that comes in pieces; what cannot be read is counted, with its line. */
interface TableReader {
  push(chunk: Uint8Array): void;
  finish(): { readonly runs: readonly DuetIterations[]; readonly notes: readonly string[] };
}

/** So many rows are named; a table in another form must not give a million lines. */
const NAMED = 5;

/** `origin` names the table in notes; `place` is where runs ran whose rows do not say it. */
export function createTableReader(origin: string, place: string): TableReader {
  const notes: string[] = [];
  let failed = 0;
  let rows: RowReader | undefined;
  const scanner = new CsvScanner((record) => {
    if (rows === undefined) {
      const names = Array.from({ length: record.count }, (_, column) => cellText(record, column).trim());
      rows = new RowReader(findTableColumns(names, origin), place);
      return;
    }
    const problem = record.isBroken ? 'its quotes do not match' : rows.read(record);
    if (problem === undefined) return;
    failed++;
    if (failed <= NAMED) notes.push(`${origin}, line ${record.line}: ${problem}`);
  });
  return {
    push: (chunk) => scanner.push(chunk),
    finish() {
      scanner.finish();
      if (failed > NAMED) notes.push(`${origin}: ${counted(failed - NAMED, 'more row')} could not be read`);
      // An empty file has not even a header.
      if (rows === undefined) findTableColumns([], origin);
      const runs = (rows?.runs ?? []).map((run) => closeRun(run, (note) => notes.push(note)));
      return { runs, notes };
    },
  };
}

class RowReader {
  readonly #columns: TableColumns;
  readonly #index: RunIndex;
  /** Cells that a row must have. */
  readonly #width: number;
  readonly #timestamp: Timestamp = { seconds: 0, nanos: 0 };

  constructor(columns: TableColumns, place: string) {
    this.#columns = columns;
    this.#index = new RunIndex(columns, place);
    this.#width = 1 + Math.max(columns.iteration, columns.time, columns.start, columns.end, ...columns.keys);
  }

  get runs(): readonly OpenRun[] {
    return this.#index.runs;
  }

  /** Why the row cannot be used; undefined when it was. */
  read(record: CsvRecord): string | undefined {
    const { iteration, time: timeColumn, start: startColumn, end: endColumn, pair } = this.#columns;
    const { bytes, starts, ends, count } = record;
    if (count < this.#width) return `it has ${count} cells, fewer than the header`;
    const side = sideOf(record, pair);
    if (side === undefined) return wrong(record, pair, 'pair', 'neither A nor B');
    const found = this.#index.find(record, side);
    if (!found.ok) return found.error;
    const run = found.value;
    const number = wholeNumber(bytes, starts[iteration] as number, ends[iteration] as number);
    if (!(number < 2 ** 31)) return wrong(record, iteration, 'iteration', 'not a whole number');
    const time = timeOf(record, timeColumn);
    if (!(time >= 0)) return wrong(record, timeColumn, 'iteration_time_ns', 'not a time');
    const start = this.#offset(record, startColumn, run);
    if (start === undefined) return wrong(record, startColumn, 'iteration_start_ns', FAR);
    const end = this.#offset(record, endColumn, run);
    if (end === undefined) return wrong(record, endColumn, 'iteration_end_ns', FAR);
    run[side].add(number, start, Number.isNaN(end) ? start + time : end, time);
    return undefined;
  }

  /** NaN where there is nothing; undefined where it is not a timestamp, or one too far from the others of the run. */
  #offset({ bytes, starts, ends }: CsvRecord, column: number, run: OpenRun): number | undefined {
    if (column < 0 || starts[column] === ends[column]) return Number.NaN;
    if (!readTimestamp(bytes, starts[column] as number, ends[column] as number, this.#timestamp))
      return undefined;
    const offset = offsetIn(run, this.#timestamp.seconds, this.#timestamp.nanos);
    return Number.isNaN(offset) ? undefined : offset;
  }
}

const FAR = 'not a timestamp within 104 days of its run';
const LETTER_A = 65;

function sideOf({ bytes, starts, ends }: CsvRecord, column: number): Side | undefined {
  const at = starts[column] as number;
  if (ends[column] !== at + 1) return undefined;
  const letter = (bytes[at] as number) - LETTER_A;
  return letter === 0 ? 'A' : letter === 1 ? 'B' : undefined;
}

function timeOf(record: CsvRecord, column: number): number {
  const whole = wholeNumber(record.bytes, record.starts[column] as number, record.ends[column] as number);
  if (!Number.isNaN(whole)) return whole;
  const text = cellText(record, column);
  return text.trim() === '' ? Number.NaN : Number(text);
}

function wrong(record: CsvRecord, column: number, name: string, what: string): string {
  return `"${name}" is ${showCell(cellText(record, column))}, ${what}`;
}

/** Nanoseconds since 1970 in two parts that are exact in doubles; they need not be normalised. */
interface Timestamp {
  seconds: number;
  nanos: number;
}

const NANO_DIGITS = 9;
const BILLION = 1_000_000_000n;
const POINT = 46;

/** Reads a timestamp into `timestamp`; false when the bytes are none. Digits are read as they stand, without a BigInt. */
export function readTimestamp(bytes: Uint8Array, from: number, to: number, timestamp: Timestamp): boolean {
  const split = to - NANO_DIGITS;
  const isLong = split > from;
  const seconds = isLong ? wholeNumber(bytes, from, split) : 0;
  const nanos = wholeNumber(bytes, isLong ? split : from, to);
  // A point in the second part would be "whole" too, but of other digits.
  const isPlain = !Number.isNaN(seconds) && !Number.isNaN(nanos) && !hasPoint(bytes, from, to);
  if (!isPlain) return readOther(decodeUtf8(bytes, from, to), timestamp);
  timestamp.seconds = seconds;
  timestamp.nanos = nanos;
  return true;
}

/** 1.794769700745e+18: pandas had a double, so the double is what was meant. */
function readOther(text: string, timestamp: Timestamp): boolean {
  if (/^\d\.\d+e\+1\d$/.test(text)) {
    const value = Number(text);
    // Both exact: seconds below 2^32 times 5^9 fit 53 bits, the rest are powers of two.
    timestamp.seconds = Math.floor(value / 1e9);
    timestamp.nanos = value - timestamp.seconds * 1e9;
    return true;
  }
  const exact = decimalNs(text, 0);
  if (exact === undefined) return false;
  timestamp.seconds = Number(exact / BILLION);
  timestamp.nanos = Number(exact % BILLION);
  return true;
}

function hasPoint(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === POINT) return true;
  return false;
}
