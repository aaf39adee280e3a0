import type { JsonValue } from './json.ts';

/** Order of the values of a setting for people: numbers by size, texts with their numbers by size, nothing at the end. */
export function compareSettingValues(a: JsonValue, b: JsonValue): number {
  const kinds = kindOf(a) - kindOf(b);
  if (kinds !== 0) return kinds;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareNaturally(settingText(a), settingText(b));
}

/** "run-2" before "run-10", and any two different texts in one order. */
export function compareNaturally(a: string, b: string): number {
  return comparePieces(piecesOf(a), piecesOf(b));
}

/** As compareSettingValues has it; each text is taken apart once, which counts where there are thousands. */
export function inNaturalOrder<T>(items: readonly T[], read: (item: T) => JsonValue): readonly T[] {
  const keyed = items.map((item) => {
    const value = read(item);
    return { item, value, kind: kindOf(value), pieces: piecesOf(settingText(value)) };
  });
  keyed.sort((a, b) => {
    if (a.kind !== b.kind) return a.kind - b.kind;
    if (typeof a.value === 'number' && typeof b.value === 'number') return a.value - b.value;
    return comparePieces(a.pieces, b.pieces);
  });
  return keyed.map(({ item }) => item);
}

function comparePieces(left: readonly string[], right: readonly string[]): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [left[at] as string, right[at] as string];
    if (one === other) continue;
    const size = isDigits(one) && isDigits(other) ? compareDigits(one, other) : 0;
    if (size !== 0) return size;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** Pieces of digits and of other characters, in turn. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function isDigits(piece: string): boolean {
  return /^\d/.test(piece);
}

/** As whole numbers of any length. */
function compareDigits(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}

function kindOf(value: JsonValue): number {
  if (value === null) return 4;
  return ['number', 'string', 'boolean', 'object'].indexOf(typeof value);
}

/** A value of a setting as the old tools write it in names and keys: True, None, 4, text as it is. */
export function settingText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return innerText(value);
}

function innerText(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(innerText).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `'${key}': ${innerText(field)}`)
    .join(', ')}}`;
}

/** Compares by code point, as Python sorts texts; JavaScript compares UTF-16 units, which differs beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates stand for what lies beyond U+FFFF, so they go behind; the end of a text comes first. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
