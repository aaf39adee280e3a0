import { COMMA, EQUALS } from './bytes.ts';
import { LONGEST_KEY } from './exact-line.ts';
import type { LineScratch } from './line-scratch.ts';
import { hasTagTwice } from './names.ts';

/**
 * Whether the head of a line that `quickLine` took is well formed, so that a new series may be made of it. False: only
 * `exactLine` can say.
 */
export function isPlainHead(bytes: Uint8Array, line: LineScratch): boolean {
  const { headStart, headEnd } = line;
  let tags = 0;
  let at = headStart;
  while (at < headEnd && bytes[at] !== COMMA) at++;
  while (at < headEnd) {
    at = plainTagEnd(bytes, at + 1, headEnd);
    if (at < 0) return false;
    tags++;
  }
  return !hasLongKey(line) && (tags < 2 || !hasTagTwice(bytes, headStart, headEnd));
}

/** Position of the comma after the tag, or the end; -1 when key or value is empty, or there is one = too few or too many. */
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

/** Four bytes for what InfluxDB puts between series and field, as `exactLine` counts. */
function hasLongKey({ headStart, headEnd, keyStart, keyEnd, count }: LineScratch): boolean {
  let longest = 0;
  for (let i = 0; i < count; i++)
    longest = Math.max(longest, (keyEnd[i] as number) - (keyStart[i] as number));
  return headEnd - headStart + 4 + longest > LONGEST_KEY;
}
