import type { RefusalCounts, RefusedLine } from '../point-reader.ts';
import type { Precision } from '../point-shelf.ts';
import type { ColumnBook } from '../points/column-book.ts';
import type { Moment, PointRows } from '../points.ts';
import { exactLine, lineEnd } from './exact-line.ts';
import { findColumns } from './find-columns.ts';
import { knownLine } from './known-line.ts';
import { LineScratch } from './line-scratch.ts';
import { isPlainHead } from './plain-head.ts';
import { quickLine } from './quick-line.ts';
import { Refusals } from './refusals.ts';
import { RowBuffer } from './row-buffer.ts';
import { arrival } from './times.ts';

export interface ReadLinesOptions {
  readonly database: string;
  /** Of the times in the lines. */
  readonly precision: Precision;
  /** For lines without a time. */
  readonly receivedAt: Moment;
  /** nan and inf are taken; otherwise they are refused as InfluxDB does. */
  readonly keepsNotFinite?: boolean;
}

export interface ReadLines {
  readonly rows: PointRows;
  /** Lines that say something: neither blank nor a comment. */
  readonly lines: number;
  /** The first ones. */
  readonly refused: RefusedLine[];
  readonly refusedLines: number;
  /** Of all that were refused. */
  readonly reasons: RefusalCounts;
}

/** Reads line protocol as InfluxDB 1.x does; new series and fields get numbers in the book. */
export function readLines(bytes: Uint8Array, book: ColumnBook, options: ReadLinesOptions): ReadLines {
  const line = new LineScratch(options.precision, options.keepsNotFinite === true);
  const columns = book.database(options.database);
  const now = arrival(options.receivedAt, options.precision);
  const rows = rowsOf(book);
  const place = { book, database: options.database, columns, isPlain: true, mayMake: false };
  const making = { ...place, mayMake: true };
  const exact = { ...making, isPlain: false };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const known = { book, trail: columns.trail, line, rows, view, now };
  const refusals = new Refusals();
  let lines = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    at = knownLine(bytes, start, known);
    if (at >= 0) {
      lines++;
      continue;
    }
    at = quickLine(bytes, start, line);
    let isTaken =
      at >= 0 &&
      (findColumns(bytes, line, place) === 'found' ||
        (isPlainHead(bytes, line) && findColumns(bytes, line, making) === 'found'));
    if (!isTaken) {
      const end = lineEnd(bytes, start);
      at = end + 1;
      const kind = exactLine(bytes, [start, end], line);
      if (kind === 'nothing') continue;
      isTaken = kind === 'point' && findColumns(bytes, line, exact) === 'found';
    }
    lines++;
    if (isTaken) append(rows, line, now);
    else refusals.add(bytes, line);
  }
  return { rows: rows.take(), lines, ...refusals.told() };
}

const BUFFERS = new WeakMap<ColumnBook, RowBuffer>();

function rowsOf(book: ColumnBook): RowBuffer {
  const buffer = BUFFERS.get(book) ?? new RowBuffer();
  BUFFERS.set(book, buffer);
  return buffer;
}

function append(rows: RowBuffer, line: LineScratch, now: Moment): void {
  rows.reserve(line.count);
  const ms = line.hasTime ? line.ms : now.ms;
  const ns = line.hasTime ? line.ns : now.ns;
  const others = rows.others.length;
  let row = rows.count;
  for (let i = 0; i < line.count; i++) {
    const column = line.column[i] as number;
    if (column < 0) continue;
    const isOther = line.isOther[i] as number;
    rows.column[row] = column;
    rows.ms[row] = ms;
    rows.ns[row] = ns;
    rows.type[row] = line.type[i] as number;
    rows.value[row] = isOther === 1 ? (line.value[i] as number) + others : (line.value[i] as number);
    rows.isOther[row] = isOther;
    row++;
  }
  rows.count = row;
  for (const other of line.others) rows.others.push(other);
}
