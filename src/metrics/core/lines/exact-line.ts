import { HASH_FACTOR, HASH_START } from '../series/byte-key-table.ts';
import {
  BACKSLASH,
  BOOLEAN,
  COMMA,
  DOT,
  EQUALS,
  FLOAT,
  HASH,
  INTEGER,
  type LineScratch,
  MINUS,
  NEWLINE,
  NINE,
  QUOTE,
  SPACE,
  STRING,
  TAB,
  UNSIGNED,
  ZERO,
} from './line-scratch.ts';
import { hasDuplicateTag, unescapeString, utf8Text } from './line-text.ts';
import { exactTime } from './line-timestamps.ts';

/** The limit of InfluxDB for a measurement with tags, and with the field. */
export const MAX_KEY_BYTES = 65_535;

/** The result of `exactLine`: nothing to store, a point, or a refusal whose reason is in the scratch. */
export type LineKind = 'nothing' | 'point' | 'refused';

/** Where the line ends: at the first newline that is neither escaped nor within quotes of a field's value. */
export function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let isQuoted = false;
  let isInFields = false;
  let open = 0;
  for (let at = from; at < end; at++) {
    const code = bytes[at] as number;
    if (code === BACKSLASH && at + 2 < end) at++;
    else if (code === SPACE) isInFields = true;
    else if (code === NEWLINE && !isQuoted) return at;
    else if (!isInFields) continue;
    else if (code === EQUALS && !isQuoted) open++;
    else if (code === COMMA && !isQuoted) open--;
    else if (code === QUOTE && open > 0) isQuoted = !isQuoted;
  }
  return end;
}

/** The slow path: parses any line as InfluxDB 1.x does, with its error messages. */
export function exactLine(
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  line: LineScratch,
): LineKind {
  line.clear();
  const start = skipBlanks(bytes, from, to);
  // An escaped newline at the very end is not part of the line.
  const end = to > start && bytes[to - 1] === NEWLINE ? to - 1 : to;
  line.start = start;
  line.end = end;
  if (start >= end || bytes[start] === HASH) return 'nothing';
  const seriesEnd = exactSeries(bytes, line);
  if (seriesEnd < 0) return 'refused';
  const fieldsEnd = exactFields(bytes, skipBlanks(bytes, seriesEnd, end), line);
  if (fieldsEnd < 0 || hasLongKey(line)) return 'refused';
  return exactTimestamp(bytes, skipBlanks(bytes, fieldsEnd, end), line) < 0 ? 'refused' : 'point';
}

function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === 0)) at++;
  return at;
}

/** Measurement and tags; position of the space after them. */
function exactSeries(bytes: Uint8Array, line: LineScratch): number {
  const { start } = line;
  let at = measurementEnd(bytes, line);
  while (at >= 0 && bytes[at] === COMMA) at = tagEnd(bytes, at + 1, line);
  if (at < 0) return -1;
  line.seriesStart = start;
  line.seriesEnd = at;
  line.seriesHash = hashOf(bytes, start, at);
  if (hasDuplicateTag(bytes, start, at)) return line.refuse('syntax', 'duplicate tags');
  return at - start > MAX_KEY_BYTES ? refuseLong(line, at - start) : at;
}

/** An escape is any backslash before: two of them escape what follows, too. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  return bytes[at - 1] === BACKSLASH;
}

function measurementEnd(bytes: Uint8Array, line: LineScratch): number {
  if (bytes[line.start] === COMMA) return line.refuse('syntax', 'missing measurement');
  for (let at = line.start + 1; at < line.end; at++) {
    if ((bytes[at] === COMMA || bytes[at] === SPACE) && !isEscaped(bytes, at)) return at;
  }
  return line.refuse('syntax', 'missing fields');
}

/** Position of the comma or space after the tag. */
function tagEnd(bytes: Uint8Array, from: number, line: LineScratch): number {
  const first = from < line.end ? bytes[from] : SPACE;
  if (first === SPACE || first === COMMA || first === EQUALS) return line.refuse('syntax', 'missing tag key');
  let at = from + 1;
  for (; ; at++) {
    const isFree = at >= line.end || !isEscaped(bytes, at);
    if (at >= line.end || (isFree && (bytes[at] === SPACE || bytes[at] === COMMA))) {
      return line.refuse('syntax', 'missing tag value');
    }
    if (isFree && bytes[at] === EQUALS) break;
  }
  at++;
  if (at >= line.end || bytes[at] === COMMA || bytes[at] === SPACE)
    return line.refuse('syntax', 'missing tag value');
  for (at++; at < line.end; at++) {
    if (isEscaped(bytes, at)) continue;
    if (bytes[at] === EQUALS) return line.refuse('syntax', 'invalid tag format');
    if (bytes[at] === COMMA || bytes[at] === SPACE) return at;
  }
  return line.refuse('syntax', 'missing fields');
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), HASH_FACTOR);
  return hash;
}

/** InfluxDB puts four bytes between series and field. */
function hasLongKey(line: LineScratch): boolean {
  const head = line.seriesEnd - line.seriesStart + 4;
  for (let i = 0; i < line.count; i++) {
    const length = head + (line.keyEnd[i] as number) - (line.keyStart[i] as number);
    if (length > MAX_KEY_BYTES) return refuseLong(line, length) < 0;
  }
  return false;
}

function refuseLong(line: LineScratch, length: number): -1 {
  return line.refuse('too-long', `max key length exceeded: ${length} > ${MAX_KEY_BYTES}`);
}

/** The timestamp at the end, if there is one. */
function exactTimestamp(bytes: Uint8Array, from: number, line: LineScratch): number {
  let at = from;
  for (; at < line.end && bytes[at] !== SPACE && bytes[at] !== NEWLINE; at++) {
    const code = bytes[at] as number;
    const isSign = at === from && code === MINUS;
    if (!isSign && (code < ZERO || code > NINE)) return line.refuse('time', 'bad timestamp');
  }
  if (at === from) return 0;
  if (exactTime(bytes, [from, at], line) < 0) return -1;
  while (at < line.end && bytes[at] === SPACE) at++;
  return at < line.end ? line.refuse('syntax', 'point is invalid') : 0;
}

const TRUE = new Set(['t', 'T', 'true', 'True', 'TRUE']);
const FALSE = new Set(['f', 'F', 'false', 'False', 'FALSE']);

/**
 * Parses the fields in two steps, as InfluxDB does: first checks the syntax, then reads the values. The steps treat quotes
 * differently, which is how `"foo "bar""` becomes a string. Returns the position after the fields.
 */
function exactFields(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = checkFields(bytes, from, line);
  if (end < 0) return -1;
  for (let at = from; at < end; ) at = readField(bytes, [at, end], line) + 1;
  return end;
}

function checkFields(bytes: Uint8Array, from: number, line: LineScratch): number {
  let isQuoted = false;
  let equals = 0;
  let commas = 0;
  let at = from;
  while (at < line.end) {
    const code = bytes[at];
    if (code === BACKSLASH && at + 1 < line.end) {
      at += 2;
      continue;
    }
    if (code === QUOTE && equals > commas) isQuoted = !isQuoted;
    else if (code === EQUALS && !isQuoted) {
      equals++;
      at = checkValue(bytes, at, line);
      if (at < 0) return -1;
      continue;
    } else if (code === COMMA && !isQuoted) commas++;
    else if (code === SPACE && !isQuoted) break;
    at++;
  }
  if (isQuoted) return line.refuse('syntax', 'unbalanced quotes');
  return equals === 0 || commas !== equals - 1 ? line.refuse('syntax', 'invalid field format') : at;
}

/** Checks both sides of this "="; returns the position to go on from. */
function checkValue(bytes: Uint8Array, equals: number, line: LineScratch): number {
  const before = bytes[equals - 1];
  if ((before === SPACE || before === COMMA) && bytes[equals - 2] !== BACKSLASH) {
    return line.refuse('syntax', 'missing field key');
  }
  const start = equals + 1;
  const first = start < line.end ? (bytes[start] as number) : SPACE;
  if (first === COMMA || first === SPACE) return line.refuse('syntax', 'missing field value');
  if (first === QUOTE) return start;
  let end = start;
  while (end < line.end && bytes[end] !== COMMA && bytes[end] !== SPACE) end++;
  const text = utf8Text(bytes, start, end);
  const isNumber = isDigit(first) || first === MINUS || text[0] === 'n' || text[0] === 'N';
  if (notFinite(text) !== undefined) {
    if (line.keepsNotFinite) return end;
    return line.refuse('not-finite', isNumber ? 'invalid number' : 'invalid boolean');
  }
  if (!isNumber) return TRUE.has(text) || FALSE.has(text) ? end : line.refuse('syntax', 'invalid boolean');
  const problem = checkNumber(text);
  return problem === undefined ? end : line.refuse('number', problem);
}

function isDigit(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === DOT;
}

/** Reads one field of well-formed fields; returns the position after its value. */
function readField(bytes: Uint8Array, [from, end]: readonly [number, number], line: LineScratch): number {
  let hash = HASH_START;
  let at = from;
  for (; at < end && (bytes[at] !== EQUALS || bytes[at - 1] === BACKSLASH); at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), HASH_FACTOR);
  }
  line.openField(from, at, hash);
  const start = at + 1;
  let isQuoted = false;
  for (at = start; at < end && (isQuoted || bytes[at] !== COMMA); at++) {
    const isEscape = bytes[at] === BACKSLASH && (bytes[at + 1] === QUOTE || bytes[at + 1] === BACKSLASH);
    if (isEscape && at + 1 < end) at++;
    else if (bytes[at] === QUOTE) isQuoted = !isQuoted;
  }
  if (bytes[start] === QUOTE) line.closeOther(STRING, unescapeString(bytes, start + 1, at - 1));
  else readUnquoted(utf8Text(bytes, start, at), line);
  return at;
}

function readUnquoted(text: string, line: LineScratch): void {
  const special = notFinite(text);
  if (special !== undefined) line.closeField(FLOAT, special);
  else if (TRUE.has(text)) line.closeField(BOOLEAN, 1);
  else if (FALSE.has(text)) line.closeField(BOOLEAN, 0);
  else if (text.endsWith('i')) readInteger(text, INTEGER, line);
  else if (text.endsWith('u')) readInteger(text, UNSIGNED, line);
  else line.closeField(FLOAT, Number(text));
}

function readInteger(text: string, type: number, line: LineScratch): void {
  const value = BigInt(text.slice(0, -1));
  const near = Number(value);
  if (Number.isSafeInteger(near)) line.closeField(type, near);
  else line.closeOther(type, value);
}

const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const LEAST_INTEGER = -(2n ** 63n);
const MOST_INTEGER = 2n ** 63n - 1n;
const MOST_UNSIGNED = 2n ** 64n - 1n;

/** The value of a text such as "nan" or "-inf"; undefined for others. */
function notFinite(text: string): number | undefined {
  if (!NOT_FINITE.test(text)) return undefined;
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? -Infinity : Infinity;
}

/** The error message of InfluxDB for an invalid number; undefined when it is valid. */
function checkNumber(text: string): string | undefined {
  if (/^-?\d+i$/.test(text)) return checkWhole(text.slice(0, -1), 'integer');
  if (/^-?\d+u$/.test(text)) return checkWhole(text.slice(0, -1), 'unsigned');
  if (/^-?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
    return Number.isFinite(Number(text)) ? undefined : 'invalid float';
  }
  // The characters of a number with an exponent, though perhaps not in this order.
  if (!/^-?[\d.][\d.eE]*(?:[eE][+-]?[\d.]*)+$/.test(text) || /\..*\./.test(text)) return 'invalid number';
  const isOne = /^-?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/.test(text);
  return isOne && Number.isFinite(Number(text)) ? undefined : 'invalid float';
}

function checkWhole(digits: string, kind: 'integer' | 'unsigned'): string | undefined {
  const value = BigInt(digits);
  const reader = kind === 'integer' ? 'ParseInt' : 'ParseUint';
  const wrong = (why: string) =>
    `unable to parse ${kind} ${digits}: strconv.${reader}: parsing "${digits}": ${why}`;
  if (kind === 'unsigned' && digits.startsWith('-')) return wrong('invalid syntax');
  const isWithin =
    kind === 'integer' ? value >= LEAST_INTEGER && value <= MOST_INTEGER : value <= MOST_UNSIGNED;
  return isWithin ? undefined : wrong('value out of range');
}
