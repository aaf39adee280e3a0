import { type JsonObject, type JsonValue, pythonJson } from './json.ts';

/**
 * JSON whose numbers keep their text: 1.0 stays 1.0, 2^53 + 1 loses no digit, and the NaN and
 * Infinity that Python writes are read. For files that are passed on, not only read.
 */
export type ExactJson = string | boolean | null | JsonNumber | readonly ExactJson[] | ExactObject;
export type ExactObject = ReadonlyMap<string, ExactJson>;

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  get value(): number {
    return Number(this.text);
  }
}

/** Parses a whole text. Throws SyntaxError with the position of the error. */
export function parseExactJson(text: string): ExactJson {
  const reader: Reader = { text, at: 0, depth: 0 };
  const value = readValue(reader);
  skipBlanks(reader);
  if (reader.at < text.length) fail(reader, 'the end of the text');
  return value;
}

/** Writes in Python's form (see pythonJson), numbers as they were read. */
export function writeExactJson(value: ExactJson): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Map) {
    const fields = [...value].map(([key, field]) => `${pythonJson(key)}: ${writeExactJson(field)}`);
    return `{${fields.join(', ')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(writeExactJson).join(', ')}]`;
  return pythonJson(value as string | boolean | null);
}

/** Lifts ordinary JSON into the exact form. */
export function toExact(value: JsonValue): ExactJson {
  if (typeof value === 'number') return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(toExact);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value as JsonObject).map(([key, field]) => [key, toExact(field)]));
  }
  return value as string | boolean | null;
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** Deeper than any data file; a hostile one must not exhaust the stack. */
const MAX_DEPTH = 500;
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN/y;

function readValue(reader: Reader): ExactJson {
  skipBlanks(reader);
  const character = reader.text[reader.at];
  if (character === '{') return readObject(reader);
  if (character === '[') return readArray(reader);
  if (character === '"') return readString(reader);
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const) {
    if (reader.text.startsWith(word, reader.at)) {
      reader.at += word.length;
      return value;
    }
  }
  return new JsonNumber(match(reader, NUMBER, 'a value'));
}

function readObject(reader: Reader): ExactObject {
  const fields = new Map<string, ExactJson>();
  readItems(reader, '}', () => {
    skipBlanks(reader);
    const key = readString(reader);
    skipBlanks(reader);
    expect(reader, ':');
    fields.set(key, readValue(reader));
  });
  return fields;
}

function readArray(reader: Reader): readonly ExactJson[] {
  const items: ExactJson[] = [];
  readItems(reader, ']', () => items.push(readValue(reader)));
  return items;
}

function readItems(reader: Reader, end: string, readItem: () => void): void {
  reader.at++;
  reader.depth++;
  if (reader.depth > MAX_DEPTH) fail(reader, `at most ${MAX_DEPTH} levels of nesting`);
  skipBlanks(reader);
  if (reader.text[reader.at] !== end) {
    readItem();
    skipBlanks(reader);
    while (reader.text[reader.at] === ',') {
      reader.at++;
      readItem();
      skipBlanks(reader);
    }
  }
  expect(reader, end);
  reader.depth--;
}

function readString(reader: Reader): string {
  const { text, at } = reader;
  if (text[at] !== '"') fail(reader, 'a string');
  let end = text.indexOf('"', at + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end < 0) fail(reader, 'a string that ends');
  try {
    const value = JSON.parse(text.slice(at, end + 1)) as string;
    reader.at = end + 1;
    return value;
  } catch {
    return fail(reader, 'a string with valid escapes');
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function match(reader: Reader, pattern: RegExp, wanted: string): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (!found) return fail(reader, wanted);
  reader.at += found[0].length;
  return found[0];
}

function expect(reader: Reader, character: string): void {
  if (reader.text[reader.at] !== character) fail(reader, `"${character}"`);
  reader.at++;
}

function skipBlanks(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text[reader.at] ?? 'x')) reader.at++;
}

function fail({ text, at }: Reader, wanted: string): never {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const found = at < text.length ? JSON.stringify(text.slice(at, at + 12)) : 'the end';
  throw new SyntaxError(
    `expected ${wanted} but found ${found} at line ${line}, column ${at - before.lastIndexOf('\n')}`,
  );
}
