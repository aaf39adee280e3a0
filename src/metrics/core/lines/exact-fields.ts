import { HASH_FACTOR, HASH_START } from '../points/key-table.ts';
import { BACKSLASH, COMMA, DOT, EQUALS, MINUS, NINE, QUOTE, SPACE, ZERO } from './bytes.ts';
import { BOOLEAN, FLOAT, INTEGER, type LineScratch, STRING, UNSIGNED } from './line-scratch.ts';
import { stringValue } from './names.ts';
import { checkNumber, notFinite } from './numbers.ts';
import { utf8Text } from './utf8.ts';

const TRUE = new Set(['t', 'T', 'true', 'True', 'TRUE']);
const FALSE = new Set(['f', 'F', 'false', 'False', 'FALSE']);

/**
 * Reads the block of fields in two steps, as InfluxDB does: whether it is well formed, then what it says. The steps see
 * quotes differently, and that is how `"foo "bar""` becomes a string. Gives the position after the block.
 */
export function exactFields(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = checkFields(bytes, from, line);
  if (end < 0) return -1;
  for (let at = from; at < end; ) at = takeField(bytes, [at, end], line) + 1;
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

/** What is on both sides of this "="; the position to go on from. */
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

/** Takes one field of a block that is well formed; position after its value. */
function takeField(bytes: Uint8Array, [from, end]: readonly [number, number], line: LineScratch): number {
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
  if (bytes[start] === QUOTE) line.closeOther(STRING, stringValue(bytes, start + 1, at - 1));
  else takePlain(utf8Text(bytes, start, at), line);
  return at;
}

function takePlain(text: string, line: LineScratch): void {
  const special = notFinite(text);
  if (special !== undefined) line.closeField(FLOAT, special);
  else if (TRUE.has(text)) line.closeField(BOOLEAN, 1);
  else if (FALSE.has(text)) line.closeField(BOOLEAN, 0);
  else if (text.endsWith('i')) takeWhole(text, INTEGER, line);
  else if (text.endsWith('u')) takeWhole(text, UNSIGNED, line);
  else line.closeField(FLOAT, Number(text));
}

function takeWhole(text: string, type: number, line: LineScratch): void {
  const value = BigInt(text.slice(0, -1));
  const near = Number(value);
  if (Number.isSafeInteger(near)) line.closeField(type, near);
  else line.closeOther(type, value);
}
