import { goJson } from '../../../platform/core/text/json.ts';
import type { QueryResult, ResultRows, ResultSeries } from './run-query.ts';
import type { Cell } from './vector.ts';

/** A result as InfluxDB writes it; a line by itself where the answer is chunked. */
export function writeChunk(result: QueryResult): string {
  return `{"results":[${writeResult(result)}]}\n`;
}

/** The whole answer in chunks: parts of one series and of one statement are joined. */
export async function* writeJson(
  results: AsyncIterable<QueryResult>,
  textOf?: TextOf,
): AsyncGenerator<string> {
  let statement = -1;
  let series: ResultSeries | undefined;
  for await (const result of results) {
    let text = '';
    if (result.statementId !== statement) {
      text += statement < 0 ? '{"results":[{' : `${closing(series)}},{`;
      statement = result.statementId;
      series = undefined;
      text += `"statement_id":${statement}`;
    }
    for (const part of result.series ?? []) {
      const rows = writeRows(part.rows, textOf);
      if (series?.partial) text += `,${rows}`;
      else text += `${series ? ']},' : ',"series":['}{${head(part)},"values":[${rows}`;
      series = part;
    }
    if (result.messages) text += `${closing(series)},"messages":${goJson(result.messages)}`;
    if (result.error !== undefined) {
      text += `${closing(series)},"error":${goJson(result.error)}`;
      series = undefined;
    }
    yield text;
  }
  yield statement < 0 ? '{}\n' : `${closing(series)}}]}\n`;
}

function closing(series: ResultSeries | undefined): string {
  return series ? ']}]' : '';
}

function writeResult({ statementId, series, messages, error, partial }: QueryResult): string {
  let text = `{"statement_id":${statementId}`;
  if (series) text += `,"series":[${series.map(writeSeries).join(',')}]`;
  if (messages) text += `,"messages":${goJson(messages)}`;
  if (error !== undefined) text += `,"error":${goJson(error)}`;
  return `${text}${partial ? ',"partial":true' : ''}}`;
}

function writeSeries(series: ResultSeries): string {
  return `{${head(series)},"values":[${writeRows(series.rows)}]${series.partial ? ',"partial":true' : ''}}`;
}

function head({ name, tags, columns }: ResultSeries): string {
  let text = name === undefined ? '' : `"name":${nameText(name)},`;
  if (tags !== undefined) text += `"tags":${tags.json},`;
  return `${text}"columns":${columnsText(columns)}`;
}

/** Series of one answer share their name and columns: the last text is cached. */
function lastWritten<T>(): (value: T) => string {
  let last: { readonly value: T; readonly text: string } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, text: goJson(value) };
    return last.text;
  };
}

const nameText = lastWritten<string>();
const columnsText = lastWritten<readonly string[]>();
/** Fewer rows are faster as strings. */
const MANY_ROWS = 16;

function writeRows({ from, to, time, nanoseconds, cells }: ResultRows, textOf?: TextOf): string {
  const isMany = textOf !== undefined && to - from >= MANY_ROWS;
  if (isMany && nanoseconds && areNumbers(cells) && areUsualTimes(nanoseconds, from, to))
    return ROW_WRITER.write(nanoseconds, cells, { from, to, textOf });
  let text = '';
  for (let row = from; row < to; row++) {
    let line = time ? time(row) : '';
    for (let column = 0; column < cells.length; column++) {
      const cell = writeCell((cells[column] as ArrayLike<Cell>)[row] as Cell);
      line = line === '' ? cell : `${line},${cell}`;
    }
    text += row === from ? `[${line}]` : `,[${line}]`;
  }
  return text;
}

function areNumbers(cells: readonly ArrayLike<Cell>[]): cells is readonly Float64Array[] {
  return cells.every((column) => column instanceof Float64Array);
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? (Object.is(cell, -0) ? '-0' : String(cell)) : 'null';
  if (typeof cell === 'string') return PLAIN.test(cell) ? `"${cell}"` : goJson(cell);
  return String(cell);
}

/** Text without escapes: ASCII without quotes, backslashes and characters of HTML. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** Rows of numbers as JSON, written as bytes and decoded at once: faster than thousands of small strings. */
export class RowWriter {
  #bytes = new Uint8Array(1 << 14);
  #used = 0;

  /** `[time,cell,...]` of some rows with commas between them. Timestamps in nanoseconds; values that are not finite as null. */
  write(timestamps: RowTimestamps, cells: readonly Float64Array[], { from, to, textOf }: RowPart): string {
    this.#used = 0;
    for (let row = from; row < to; row++) {
      if (this.#used + MAX_CELL_BYTES * (cells.length + 2) > this.#bytes.length) this.#grow();
      if (row > from) this.#put(COMMA);
      this.#put(OPEN);
      this.#time(timestamps.ms[row] as number, timestamps.ns[row] as number);
      for (let column = 0; column < cells.length; column++) {
        this.#put(COMMA);
        this.#number((cells[column] as Float64Array)[row] as number);
      }
      this.#put(CLOSE);
    }
    return textOf(this.#bytes.subarray(0, this.#used));
  }

  #put(code: number): void {
    this.#bytes[this.#used++] = code;
  }

  /** Whole milliseconds since 1970 that have 13 digits. */
  #time(ms: number, ns: number): void {
    const high = Math.floor(ms / 1e7);
    this.#digits(high, 6);
    this.#digits(ms - high * 1e7, 7);
    this.#digits(ns, 6);
  }

  #number(value: number): void {
    const size = Math.abs(value);
    const thousandths = Math.round(size * 1000);
    // With so few digits, decimals are the shortest text of this number.
    if (size < SHORT_LIMIT && thousandths / 1000 === size) {
      if (value < 0 || Object.is(value, -0)) this.#put(MINUS);
      const whole = (thousandths / 1000) | 0;
      this.#digits(whole, lengthOf(whole));
      this.#places(thousandths - whole * 1000);
    } else this.#plain(Number.isFinite(value) ? String(value) : 'null');
  }

  /** Thousandths without the zeros at their end. */
  #places(thousandths: number): void {
    if (thousandths === 0) return;
    this.#put(DOT);
    if (thousandths % 100 === 0) this.#digits(thousandths / 100, 1);
    else if (thousandths % 10 === 0) this.#digits(thousandths / 10, 2);
    else this.#digits(thousandths, 3);
  }

  #plain(text: string): void {
    for (let i = 0; i < text.length; i++) this.#put(text.charCodeAt(i));
  }

  /** `count` digits, with leading zeros. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value | 0;
    this.#used += count;
    for (let at = this.#used - 1; at >= this.#used - count; at--) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const ROW_WRITER = new RowWriter();

export interface RowTimestamps {
  readonly ms: ArrayLike<number>;
  readonly ns: ArrayLike<number>;
}

/** Decodes ASCII: the platform is many times faster than pure JavaScript. */
export type TextOf = (bytes: Uint8Array) => string;

interface RowPart {
  readonly from: number;
  readonly to: number;
  readonly textOf: TextOf;
}

/** Whether the times of these rows have the digits that are written. */
export function areUsualTimes({ ms }: RowTimestamps, from: number, to: number): boolean {
  for (let row = from; row < to; row++) {
    const at = ms[row] as number;
    if (!(at >= 1e12 && at < 1e13)) return false;
  }
  return true;
}

/** The longest text of a number or a time, and more. */
const MAX_CELL_BYTES = 32;
/** Below it thousandths are whole numbers of 31 bits. */
const SHORT_LIMIT = 2e6;
const [COMMA, OPEN, CLOSE, MINUS, DOT, ZERO] = [44, 91, 93, 45, 46, 48] as const;

function lengthOf(whole: number): number {
  let count = 1;
  for (let least = 10; whole >= least; least *= 10) count++;
  return count;
}

/** The answer as InfluxDB's CSV: a header for each statement, an empty line between; errors alone. */
export async function* writeCsv(results: AsyncIterable<QueryResult>): AsyncGenerator<string> {
  let statement = -1;
  let columns = '';
  for await (const { statementId, series = [], error } of results) {
    let text = '';
    if (error !== undefined) text += `${statement < 0 ? '' : '\n'}error\n${quoteField(error)}\n`;
    for (const { name = '', tags, columns: names, rows } of series) {
      const head = ['name', 'tags', ...names].map(quoteField).join(',');
      if (statementId !== statement || head !== columns) text += `${statement < 0 ? '' : '\n'}${head}\n`;
      statement = statementId;
      columns = head;
      const tagText = quoteField(
        Object.entries(tags?.values ?? {})
          .map(([key, value]) => `${key}=${value}`)
          .join(','),
      );
      for (let row = rows.from; row < rows.to; row++) {
        const cells = rows.cells.map((column) => csvCell(column[row] as Cell));
        const all = rows.time ? [rows.time(row), ...cells] : cells;
        text += `${quoteField(name)},${tagText},${all.join(',')}\n`;
      }
    }
    if (text !== '') yield text;
  }
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return plainNumber(cell);
  return typeof cell === 'string' ? quoteField(cell) : String(cell);
}

/** Without an exponent, as Go writes numbers in CSV. */
function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 1e21) return BigInt(value).toString();
  const [digits = '', exponent] = String(value).split('e-');
  if (exponent === undefined) return digits;
  const sign = value < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, '')}`;
}

function quoteField(text: string): string {
  return /[",\r\n]|^\s/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
