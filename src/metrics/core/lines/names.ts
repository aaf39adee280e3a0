import type { Tags } from '../points.ts';
import { BACKSLASH, COMMA, EQUALS, QUOTE, SPACE } from './bytes.ts';
import { utf8Text } from './utf8.ts';

/** Measurement and tags of a head that is well formed, its tags sorted. */
export function readHead(bytes: Uint8Array, from: number, to: number): { measurement: string; tags: Tags } {
  const ends = partEnds(bytes, from, to);
  const measurement = fieldText(bytes, from, ends[0] as number);
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

/** True when a tag is given twice, so that the head has no single meaning. */
export function hasTagTwice(bytes: Uint8Array, from: number, to: number): boolean {
  const { tags } = readHead(bytes, from, to);
  return tags.some(([key], index) => tags[index + 1]?.[0] === key);
}

/** Key or value of a tag without its escapes. */
function keyText(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [COMMA, SPACE, EQUALS]);
}

/** A measurement or the key of a field: there a quote may be escaped as well. */
export function fieldText(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [COMMA, SPACE, EQUALS, QUOTE]);
}

/** What is between the quotes. */
export function stringValue(bytes: Uint8Array, from: number, to: number): string {
  return unescaped(bytes, [from, to], [QUOTE, BACKSLASH]);
}

/** Positions of the commas that are not escaped, and the end. */
function partEnds(bytes: Uint8Array, from: number, to: number): number[] {
  const ends: number[] = [];
  for (let at = from + 1; at < to; at++)
    if (bytes[at] === COMMA && bytes[at - 1] !== BACKSLASH) ends.push(at);
  ends.push(to);
  return ends;
}

function readTag(bytes: Uint8Array, from: number, to: number): readonly [string, string] {
  let equals = from + 1;
  while (bytes[equals] !== EQUALS || bytes[equals - 1] === BACKSLASH) equals++;
  return [keyText(bytes, from, equals), keyText(bytes, equals + 1, to)];
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
