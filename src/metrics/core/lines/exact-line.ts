import { HASH_FACTOR, HASH_START } from '../points/key-table.ts';
import { BACKSLASH, COMMA, EQUALS, HASH, MINUS, NEWLINE, NINE, QUOTE, SPACE, TAB, ZERO } from './bytes.ts';
import { exactFields } from './exact-fields.ts';
import type { LineScratch } from './line-scratch.ts';
import { hasTagTwice } from './names.ts';
import { exactTime } from './times.ts';

/** InfluxDB's longest measurement with tags, and with the field. */
export const LONGEST_KEY = 65_535;

/** What `exactLine` found: nothing to store, a point, or a reason in the scratch why there is none. */
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

/** Reads any line as InfluxDB 1.x does, with its words for what is wrong. */
export function exactLine(
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  line: LineScratch,
): LineKind {
  line.clear();
  const start = skipBlanks(bytes, from, to);
  // An escaped newline at the very end is not part of it.
  const end = to > start && bytes[to - 1] === NEWLINE ? to - 1 : to;
  line.start = start;
  line.end = end;
  if (start >= end || bytes[start] === HASH) return 'nothing';
  const headEnd = exactHead(bytes, line);
  if (headEnd < 0) return 'refused';
  const fieldsEnd = exactFields(bytes, skipBlanks(bytes, headEnd, end), line);
  if (fieldsEnd < 0 || hasLongKey(line)) return 'refused';
  return stamp(bytes, skipBlanks(bytes, fieldsEnd, end), line) < 0 ? 'refused' : 'point';
}

function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === 0)) at++;
  return at;
}

/** Measurement and tags; position of the space after them. */
function exactHead(bytes: Uint8Array, line: LineScratch): number {
  const { start } = line;
  let at = measurementEnd(bytes, line);
  while (at >= 0 && bytes[at] === COMMA) at = tagEnd(bytes, at + 1, line);
  if (at < 0) return -1;
  line.headStart = start;
  line.headEnd = at;
  line.headHash = hashOf(bytes, start, at);
  if (hasTagTwice(bytes, start, at)) return line.refuse('syntax', 'duplicate tags');
  return at - start > LONGEST_KEY ? refuseLong(line, at - start) : at;
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
  const head = line.headEnd - line.headStart + 4;
  for (let i = 0; i < line.count; i++) {
    const length = head + (line.keyEnd[i] as number) - (line.keyStart[i] as number);
    if (length > LONGEST_KEY) return refuseLong(line, length) < 0;
  }
  return false;
}

function refuseLong(line: LineScratch, length: number): -1 {
  return line.refuse('too-long', `max key length exceeded: ${length} > ${LONGEST_KEY}`);
}

/** The time at the end, if there is one. */
function stamp(bytes: Uint8Array, from: number, line: LineScratch): number {
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
