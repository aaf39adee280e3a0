import type { LinePredictor } from '../series/byte-key-table.ts';
import type { ColumnRegistry } from '../series/column-registry.ts';
import { fastValue } from './fast-line.ts';
import {
  COMMA,
  DOT,
  EQUALS,
  FLOAT,
  type LineScratch,
  MINUS,
  NEWLINE,
  NINE,
  SPACE,
  ZERO,
} from './line-scratch.ts';
import { fastTime } from './line-timestamps.ts';
import type { RowBuffer } from './read-lines.ts';

export interface PredictionContext {
  readonly registry: ColumnRegistry;
  readonly predictor: LinePredictor;
  /** For values that are not a short number. */
  readonly line: LineScratch;
  /** Receives the values of the line. */
  readonly rows: RowBuffer;
  /** Of the same bytes: four of them are compared at once. */
  readonly view: DataView;
  /** The timestamp of lines without one. */
  readonly now: { readonly ms: number; readonly ns: number };
}

/**
 * Parses a line whose series and fields are those that the predictor expects, and adds its rows. Returns the position
 * after the line, or -1 when `fastLine` has to parse it. Both agree on every line that this one accepts.
 */
export function predictedLine(bytes: Uint8Array, from: number, place: PredictionContext): number {
  const { predictor, rows, view } = place;
  const first = rows.count;
  const others = rows.others.length;
  let at = predictor.afterSeries(view, from);
  if (at >= 0 && bytes[at] === SPACE) {
    for (;;) {
      at = predictor.afterField(view, at + 1);
      if (at < 0 || bytes[at] !== EQUALS) break;
      at = addValue(bytes, at + 1, place);
      if (at < 0) break;
      const code = at < bytes.length ? (bytes[at] as number) : NEWLINE;
      if (code === COMMA) continue;
      const end = code === NEWLINE ? at + 1 : predictedTime(bytes, at + 1, place);
      if (end < 0) break;
      const when = code === NEWLINE ? place.now : place.line;
      setTimestamps(rows, first, when);
      predictor.closeLine();
      return end;
    }
  }
  rows.count = first;
  if (rows.others.length > others) rows.others.length = others;
  return -1;
}

function setTimestamps(
  rows: RowBuffer,
  first: number,
  { ms, ns }: { readonly ms: number; readonly ns: number },
): void {
  for (let row = first; row < rows.count; row++) {
    rows.ms[row] = ms;
    rows.ns[row] = ns;
  }
}

/** Adds the value of the predicted field; returns the position after it, or -1. */
function addValue(
  bytes: Uint8Array,
  from: number,
  { registry, predictor, line, rows }: PredictionContext,
): number {
  const { column } = predictor;
  const type = registry.typeCode(column);
  if (rows.count === rows.type.length) rows.reserve(1);
  const row = rows.count;
  let at = type === FLOAT ? shortFloat(bytes, from, rows) : -1;
  if (at >= 0) rows.isOther[row] = 0;
  else {
    line.clear();
    line.openField(0, 0, 0);
    at = fastValue(bytes, from, line);
    if (at < 0 || line.type[0] !== type) return -1;
    const isOther = line.isOther[0] as number;
    rows.isOther[row] = isOther;
    rows.value[row] =
      isOther === 1 ? rows.others.push(line.others[0] as string) - 1 : (line.value[0] as number);
  }
  rows.type[row] = type;
  rows.column[row] = column;
  rows.count = row + 1;
  return at;
}

/** Digits that 32 bits hold, and powers of ten for them. */
const SHORT_DIGITS = 9;
const TENS = Float64Array.from({ length: SHORT_DIGITS + 1 }, (_, power) => 10 ** power);

/** Reads a float of a few digits into the next row; returns the position after it, or -1 for others. */
function shortFloat(bytes: Uint8Array, from: number, rows: RowBuffer): number {
  const end = Math.min(bytes.length, from + SHORT_DIGITS + 2);
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  let digits = 0;
  let dot = -1;
  let code = 0;
  let at = start;
  for (; at < end; at++) {
    code = bytes[at] as number;
    if (code >= ZERO && code <= NINE) digits = (Math.imul(10, digits) + code - ZERO) | 0;
    else if (code === DOT && dot < 0) dot = at;
    else break;
  }
  const count = dot < 0 ? at - start : at - start - 1;
  if (at === end || count === 0 || count > SHORT_DIGITS) return -1;
  if (code !== SPACE && code !== COMMA && code !== NEWLINE) return -1;
  const size = dot < 0 ? digits : digits / (TENS[at - dot - 1] as number);
  rows.value[rows.count] = isNegative ? -size : size;
  return at;
}

/** Many lines have the timestamp of the line before: comparing is faster than parsing. */
function predictedTime(bytes: Uint8Array, from: number, { line, view }: PredictionContext): number {
  const { timeStart, timeEnd } = line;
  const length = timeEnd - timeStart;
  const end = from + length;
  if (length < 4 || end >= bytes.length || bytes[end] !== NEWLINE) return fastTime(bytes, from, line);
  for (let i = length - 4; i > 0; i -= 4)
    if (view.getInt32(from + i) !== view.getInt32(timeStart + i)) return fastTime(bytes, from, line);
  return view.getInt32(from) === view.getInt32(timeStart) ? end + 1 : fastTime(bytes, from, line);
}
