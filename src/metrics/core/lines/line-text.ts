import type { Tags } from '../points/points.ts';
import { BACKSLASH, COMMA, EQUALS, QUOTE, SPACE } from './line-scratch.ts';

/** Measurement and sorted tags of a well-formed series key. */
export function parseSeries(
  bytes: Uint8Array,
  from: number,
  to: number,
): { measurement: string; tags: Tags } {
  const ends = tagEnds(bytes, from, to);
  const measurement = unescapeName(bytes, from, ends[0] as number);
  const tags: (readonly [string, string])[] = [];
  let isSorted = true;
  for (let i = 1; i < ends.length; i++) {
    const tag = readTag(bytes, (ends[i - 1] as number) + 1, ends[i] as number);
    const before = tags.at(-1);
    if (before && before[0] > tag[0]) isSorted = false;
    tags.push(tag);
  }
  return { measurement, tags: isSorted ? tags : tags.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

export function hasDuplicateTag(bytes: Uint8Array, from: number, to: number): boolean {
  const { tags } = parseSeries(bytes, from, to);
  return tags.some(([key], index) => tags[index + 1]?.[0] === key);
}

/** Key or value of a tag without its escapes. */
function unescapeTag(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [COMMA, SPACE, EQUALS]);
}

/** A measurement or the key of a field, where a quote may be escaped as well. */
export function unescapeName(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [COMMA, SPACE, EQUALS, QUOTE]);
}

export function unescapeString(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [QUOTE, BACKSLASH]);
}

/** Positions of the commas that are not escaped, and the end. */
function tagEnds(bytes: Uint8Array, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let at = from + 1; at < to; at++)
    if (bytes[at] === COMMA && bytes[at - 1] !== BACKSLASH) ends.push(at);
  ends.push(to);
  return ends;
}

function readTag(bytes: Uint8Array, from: number, to: number): readonly [string, string] {
  let equals = from + 1;
  while (bytes[equals] !== EQUALS || bytes[equals - 1] === BACKSLASH) equals++;
  return [unescapeTag(bytes, from, equals), unescapeTag(bytes, equals + 1, to)];
}

function unescaped(
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  escapable: readonly number[],
): string {
  let at = from;
  while (at < to && bytes[at] !== BACKSLASH) at++;
  if (at >= to) return utf8Text(bytes, from, to);
  const plain = new Uint8Array(to - from);
  let count = 0;
  for (at = from; at < to; at++) {
    if (bytes[at] === BACKSLASH && at + 1 < to && escapable.includes(bytes[at + 1] as number)) at++;
    plain[count++] = bytes[at] as number;
  }
  return utf8Text(plain, 0, count);
}

const PIECE = 4096;

/** Decodes UTF-8; invalid bytes become U+FFFD. Core is pure, and has no TextDecoder. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80) at++;
  const text = unitsText(bytes, start, at);
  return at === end ? text : text + decode(bytes, at, end);
}

function unitsText(units: Uint8Array | Uint16Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += PIECE) {
    const piece = units.subarray(at, Math.min(end, at + PIECE)) as unknown as number[];
    text += String.fromCharCode.apply(undefined, piece);
  }
  return text;
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  const units = new Uint16Array(end - start);
  let count = 0;
  for (let at = start; at < end; ) {
    const first = bytes[at] as number;
    const length = lengthAt(bytes, at, end);
    if (length === 4) {
      const code =
        (((first & 7) << 18) |
          (continuation(bytes, at + 1) << 12) |
          (continuation(bytes, at + 2) << 6) |
          continuation(bytes, at + 3)) -
        0x10000;
      units[count++] = 0xd800 | (code >> 10);
      units[count++] = 0xdc00 | (code & 0x3ff);
    } else if (length === 3) {
      units[count++] =
        ((first & 15) << 12) | (continuation(bytes, at + 1) << 6) | continuation(bytes, at + 2);
    } else if (length === 2) units[count++] = ((first & 31) << 6) | continuation(bytes, at + 1);
    else units[count++] = length === 1 ? first : 0xfffd;
    at += Math.max(1, length);
  }
  return unitsText(units, 0, count);
}

function continuation(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) & 63;
}

/** Length of the character at a position; 0 when it is invalid (overlong, cut off, a surrogate, beyond Unicode). */
function lengthAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > end) return 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] as number;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  return first === 0xf4 && second > 0x8f ? 0 : length;
}
