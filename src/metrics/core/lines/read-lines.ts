import type { RefusalCounts, RefusedLine } from '../points/point-reader.ts';
import type { Precision } from '../points/point-storage.ts';
import type { PointRows, Timestamp } from '../points/points.ts';
import type { ColumnRegistry } from '../series/column-registry.ts';
import { exactLine, lineEnd } from './exact-line.ts';
import { fastLine, isWellFormedSeries } from './fast-line.ts';
import { findColumns } from './find-columns.ts';
import { grown, LineScratch } from './line-scratch.ts';
import { arrival } from './line-timestamps.ts';
import { predictedLine } from './predicted-line.ts';
import { RefusedLines } from './refused-lines.ts';

export interface ReadLinesOptions {
  readonly database: string;
  /** Of the timestamps in the lines. */
  readonly precision: Precision;
  /** For lines without a timestamp. */
  readonly receivedAt: Timestamp;
  /** nan and inf are accepted; otherwise they are refused as InfluxDB does. */
  readonly keepsNotFinite?: boolean;
}

export interface ReadLines {
  readonly rows: PointRows;
  /** Lines that are neither blank nor a comment. */
  readonly lines: number;
  /** The first ones. */
  readonly refused: RefusedLine[];
  readonly refusedLines: number;
  /** Of all refused lines. */
  readonly reasons: RefusalCounts;
}

/** Parses line protocol as InfluxDB 1.x does; new series and fields are added to the registry. */
export function readLines(bytes: Uint8Array, registry: ColumnRegistry, options: ReadLinesOptions): ReadLines {
  const line = new LineScratch(options.precision, options.keepsNotFinite === true);
  const columns = registry.database(options.database);
  const now = arrival(options.receivedAt, options.precision);
  const rows = rowsOf(registry);
  const context = { registry, database: options.database, columns, isPlain: true, mayCreate: false };
  const creating = { ...context, mayCreate: true };
  const exact = { ...creating, isPlain: false };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const prediction = { registry, predictor: columns.predictor, line, rows, view, now };
  const refusals = new RefusedLines();
  let lines = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    at = predictedLine(bytes, start, prediction);
    if (at >= 0) {
      lines++;
      continue;
    }
    at = fastLine(bytes, start, line);
    let isTaken =
      at >= 0 &&
      (findColumns(bytes, line, context) === 'found' ||
        (isWellFormedSeries(bytes, line) && findColumns(bytes, line, creating) === 'found'));
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
  return { rows: rows.take(), lines, ...refusals.summary() };
}

const BUFFERS = new WeakMap<ColumnRegistry, RowBuffer>();

function rowsOf(registry: ColumnRegistry): RowBuffer {
  const buffer = BUFFERS.get(registry) ?? new RowBuffer();
  BUFFERS.set(registry, buffer);
  return buffer;
}

function append(rows: RowBuffer, line: LineScratch, now: Timestamp): void {
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

/** Rows while they are parsed; its arrays grow and are reused for the next bytes. */
export class RowBuffer {
  count = 0;
  column = new Uint32Array(1024);
  ms = new Float64Array(1024);
  ns = new Int32Array(1024);
  type = new Uint8Array(1024);
  value = new Float64Array(1024);
  isOther = new Uint8Array(1024);
  others: (string | bigint)[] = [];

  /** Makes room for `more` rows. */
  reserve(more: number): void {
    if (this.count + more <= this.type.length) return;
    const length = Math.max(2 * this.type.length, this.count + more);
    this.column = grown(this.column, new Uint32Array(length));
    this.ms = grown(this.ms, new Float64Array(length));
    this.ns = grown(this.ns, new Int32Array(length));
    this.type = grown(this.type, new Uint8Array(length));
    this.value = grown(this.value, new Float64Array(length));
    this.isOther = grown(this.isOther, new Uint8Array(length));
  }

  /** A copy of the rows; the buffer is empty afterwards. */
  take(): PointRows {
    const { count, others } = this;
    const rows = {
      count,
      column: this.column.slice(0, count),
      timestamps: { ms: this.ms.slice(0, count), ns: this.ns.slice(0, count) },
      type: this.type.slice(0, count),
      value: this.value.slice(0, count),
      others,
      isOther: this.isOther.slice(0, count),
    };
    this.count = 0;
    this.others = [];
    return rows;
  }
}
