import { HASH_FACTOR, HASH_START } from '../series/byte-key-table.ts';
import { decimalToDouble } from './decimal-to-double.ts';
import { MAX_KEY_BYTES } from './exact-line.ts';
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
  LOWER_CASE,
  MINUS,
  NEWLINE,
  NINE,
  QUOTE,
  SPACE,
  STRING,
  UNSIGNED,
  ZERO,
} from './line-scratch.ts';
import { hasDuplicateTag, utf8Text } from './line-text.ts';
import { fastTime } from './line-timestamps.ts';

/** This many digits are exact in a double, and so is one division by a power of ten up to 10^22. */
const EXACT_DIGITS = 15;
const TENS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);
const LETTER_T = 116;
const LETTER_F = 102;
const LETTER_I = 105;
const LETTER_U = 117;
const LETTER_E = 101;

/**
 * The fast path for usual lines: no escapes, one space between the parts, plain numbers. Returns the position after the
 * line, or -1 when `exactLine` has to parse it. Both agree on every line that this one accepts. It does not check tags:
 * those of a known series are well formed.
 */
export function fastLine(bytes: Uint8Array, from: number, line: LineScratch): number {
  line.clear();
  let at = fastSeries(bytes, from, line);
  for (;;) {
    if (at < 0) return -1;
    at = fastField(bytes, at, line);
    if (at < 0) return -1;
    const code = at < bytes.length ? (bytes[at] as number) : NEWLINE;
    if (code === NEWLINE) return at + 1;
    at++;
    if (code === SPACE) return fastTime(bytes, at, line);
  }
}

/** Position of the first field. */
function fastSeries(bytes: Uint8Array, from: number, line: LineScratch): number {
  const first = bytes[from] as number;
  if (first <= SPACE || first === HASH || first === COMMA) return -1;
  const end = bytes.length;
  let hash = HASH_START;
  let at = from;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code === SPACE) break;
    if (code === BACKSLASH || code === NEWLINE) return -1;
    hash = Math.imul(hash ^ code, HASH_FACTOR);
  }
  line.seriesStart = from;
  line.seriesEnd = at;
  line.seriesHash = hash;
  return at + 1 < end ? at + 1 : -1;
}

/** Position after the value of the field. */
function fastField(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = bytes.length;
  let hash = HASH_START;
  let at = from;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code === EQUALS) break;
    if (code <= SPACE || code === BACKSLASH || code === QUOTE || code === COMMA) return -1;
    hash = Math.imul(hash ^ code, HASH_FACTOR);
  }
  if (at === from || at + 1 >= end) return -1;
  line.openField(from, at, hash);
  return fastValue(bytes, at + 1, line);
}

/** Position after the value of a field that is open. */
export function fastValue(bytes: Uint8Array, from: number, line: LineScratch): number {
  if (from >= bytes.length) return -1;
  const code = bytes[from] as number;
  if (code === QUOTE) return fastString(bytes, from + 1, line);
  if (code <= NINE) return fastNumber(bytes, from, line);
  return fastBoolean(bytes, from, line);
}

function fastNumber(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = bytes.length;
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  let digits = 0;
  let dot = -1;
  let at = start;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code >= ZERO && code <= NINE) digits = 10 * digits + (code - ZERO);
    else if (code === DOT && dot < 0) dot = at;
    else break;
  }
  const count = at - start - (dot < 0 ? 0 : 1);
  if (count === 0) return -1;
  const code = at < end ? (bytes[at] as number) : NEWLINE;
  const isWhole = code === LETTER_I || code === LETTER_U;
  if (isWhole ? digits > Number.MAX_SAFE_INTEGER : count > EXACT_DIGITS || (code | LOWER_CASE) === LETTER_E)
    return fastDecimal(bytes, start, line);
  if (code === COMMA || code === SPACE || code === NEWLINE) {
    const size = dot < 0 ? digits : digits / (TENS[at - dot - 1] as number);
    line.closeField(FLOAT, isNegative ? -size : size);
    return at;
  }
  if (dot >= 0 || !isEnd(bytes, at + 1)) return -1;
  // Zero has no sign among integers.
  if (code === LETTER_I) line.closeField(INTEGER, isNegative && digits !== 0 ? -digits : digits);
  else if (code === LETTER_U && !isNegative) line.closeField(UNSIGNED, digits);
  else return -1;
  return at + 1;
}

/** A float with many digits or an exponent. */
function fastDecimal(bytes: Uint8Array, start: number, line: LineScratch): number {
  let at = start;
  while (!isEnd(bytes, at)) at++;
  const size = decimalToDouble(bytes, start, at);
  if (Number.isNaN(size)) return -1;
  line.closeField(FLOAT, bytes[start - 1] === MINUS ? -size : size);
  return at;
}

function fastString(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = bytes.length;
  let at = from;
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) break;
    if (code === BACKSLASH) return -1;
  }
  if (at === end || !isEnd(bytes, at + 1)) return -1;
  line.closeOther(STRING, utf8Text(bytes, from, at));
  return at + 1;
}

/** The short forms, and "true" and "false" in lower case or with a capital. */
function fastBoolean(bytes: Uint8Array, from: number, line: LineScratch): number {
  const first = (bytes[from] as number) | LOWER_CASE;
  if (first !== LETTER_T && first !== LETTER_F) return -1;
  const rest = first === LETTER_T ? 'rue' : 'alse';
  let at = from + 1;
  if (!isEnd(bytes, at))
    for (let i = 0; i < rest.length; i++, at++) if (bytes[at] !== rest.charCodeAt(i)) return -1;
  if (!isEnd(bytes, at)) return -1;
  line.closeField(BOOLEAN, first === LETTER_T ? 1 : 0);
  return at;
}

function isEnd(bytes: Uint8Array, at: number): boolean {
  if (at >= bytes.length) return true;
  const code = bytes[at] as number;
  return code === COMMA || code === SPACE || code === NEWLINE;
}

/**
 * Whether measurement and tags of a line that `fastLine` accepted are well formed, so that a new series may be created.
 * False: only `exactLine` can decide.
 */
export function isWellFormedSeries(bytes: Uint8Array, line: LineScratch): boolean {
  const { seriesStart, seriesEnd } = line;
  let tags = 0;
  let at = seriesStart;
  while (at < seriesEnd && bytes[at] !== COMMA) at++;
  while (at < seriesEnd) {
    at = plainTagEnd(bytes, at + 1, seriesEnd);
    if (at < 0) return false;
    tags++;
  }
  return !isKeyTooLong(line) && (tags < 2 || !hasDuplicateTag(bytes, seriesStart, seriesEnd));
}

/** Position of the comma after the tag, or the end; -1 when key or value is empty, or there is not exactly one "=". */
function plainTagEnd(bytes: Uint8Array, from: number, end: number): number {
  let equals = -1;
  let at = from;
  for (; at < end && bytes[at] !== COMMA; at++) {
    if (bytes[at] !== EQUALS) continue;
    if (equals >= 0) return -1;
    equals = at;
  }
  return equals > from && at > equals + 1 ? at : -1;
}

/** InfluxDB puts four bytes between series and field, as `exactLine` counts. */
function isKeyTooLong({ seriesStart, seriesEnd, keyStart, keyEnd, count }: LineScratch): boolean {
  let longest = 0;
  for (let i = 0; i < count; i++)
    longest = Math.max(longest, (keyEnd[i] as number) - (keyStart[i] as number));
  return seriesEnd - seriesStart + 4 + longest > MAX_KEY_BYTES;
}
