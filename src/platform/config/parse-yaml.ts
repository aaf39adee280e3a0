import type { ScalarTag, Tags } from 'yaml';
import { NightmarkError } from '../core/errors.ts';
import type { JsonValue } from '../core/text/json.ts';
import { yamlLibrary } from './yaml-library.ts';

/** Shorter texts cannot be nested deeply enough to do harm. */
const SHORT = 1_000;

/**
 * YAML of results, as Python tools wrote it and read it: version 1.1, where `yes` is true and the last of two equal keys
 * wins. Dates and whatever else JSON does not have become text.
 */
export function parseYamlValue(text: string): JsonValue {
  return parseFlatYaml(text) ?? parseFully(text);
}

/** Exported for the test that compares the two. */
export function parseFully(text: string): JsonValue {
  if (text.length > SHORT && isNestedTooDeeply(text)) throw unreadable('it is nested too deeply');
  try {
    const document = yamlLibrary().parseDocument(text, {
      version: '1.1',
      customTags: asPythonReads,
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: true,
    });
    const [error] = document.errors;
    if (error) throw unreadable(error.message.split('\n')[0]?.replace(/:$/, '') ?? '', error);
    return toJson(document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    if (error instanceof ReferenceError) throw unreadable(error.message, error);
    throw error;
  }
}

/**
 * Python's reader knows fewer special words than YAML 1.1 does: "y" and "n" are texts, and so is 1234e56, which may be the
 * hash of a commit.
 */
function asPythonReads(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag !== 'object' || !('test' in tag)) return tag;
    if (tag.tag === 'tag:yaml.org,2002:bool') {
      const test = tag.test?.test('yes') ? /^(?:yes|true|on)$/i : /^(?:no|false|off)$/i;
      return { ...(tag as ScalarTag), test };
    }
    const isExponent = tag.tag === 'tag:yaml.org,2002:float' && tag.test?.test('1e3') === true;
    return isExponent ? { ...(tag as ScalarTag), test: /^[-+]?\d[\d_]*\.[\d_]*[eE][-+]\d+$/ } : tag;
  });
}

function unreadable(reason: string, cause?: unknown): NightmarkError {
  const hint = 'Correct the file, or have it written again.';
  return new NightmarkError('MATRIX_BAD_YAML', `It cannot be read as YAML: ${reason}.`, { hint, cause });
}

function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return dateText(value);
  if (value instanceof Map) return fromPairs([...value.entries()]);
  if (value instanceof Set) return [...value].map(toJson);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && !ArrayBuffer.isView(value)) return fromPairs(Object.entries(value));
  return String(value);
}

function fromPairs(pairs: readonly (readonly [unknown, unknown])[]): JsonValue {
  return Object.fromEntries(pairs.map(([key, field]) => [String(key), toJson(field)]));
}

/** As Python shows them: a day alone stays one. */
function dateText(date: Date): string {
  return date.toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '');
}

/** Keywords that YAML 1.1 takes for something else than text, in any case. */
const KEYWORDS = /^(?:yes|no|on|off|true|false|null|nan|inf)$/i;
const LINE = /^([A-Za-z_][\w-]*): +([\w./+-]+) *$/;

/**
 * Settings are nearly always a few lines of "key: word", in thousands of files: read without a parser, fifty times as fast.
 * Undefined when any line could mean anything else.
 */
export function parseFlatYaml(text: string): Readonly<Record<string, JsonValue>> | undefined {
  const fields: [string, JsonValue][] = [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const [, key = '', word = ''] = LINE.exec(line) ?? [];
    const value = key === '' || KEYWORDS.test(key) ? undefined : plainValue(word);
    if (value === undefined) return undefined;
    fields.push([key, value]);
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function plainValue(word: string): string | number | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word);
  if (/^(?:0|[1-9]\d{0,9})\.\d{1,9}$/.test(word)) return Number(word);
  const isText = /^[A-Za-z/]/.test(word) || /^\d+\.\d+\.\d+$/.test(word);
  return isText && !KEYWORDS.test(word) ? word : undefined;
}

/** No readable definition goes deeper. */
const DEEPEST = 100;
/** The lexer's sign that the next token is the text of a scalar, whatever it looks like. */
const SCALAR = '\u001f';

/**
 * Whether a YAML text nests its flow collections ("[[[[") or compact lists ("- - - -") beyond all reason. The parser
 * keeps a state per level and takes gigabytes for a file of brackets; this scan of the tokens stops at the first excess.
 */
export function isNestedTooDeeply(text: string): boolean {
  let flow = 0;
  let compact = 0;
  let isScalar = false;
  const { Lexer } = yamlLibrary();
  for (const token of new Lexer().lex(text)) {
    const wasScalar = isScalar;
    isScalar = token === SCALAR;
    if (wasScalar) continue;
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow = Math.max(0, flow - 1);
    else if (flow === 0 && (token === '-' || token === '?' || token === ':')) compact++;
    else if (token.startsWith('\n') || token.startsWith('\r')) compact = 0;
    if (flow > DEEPEST || compact > DEEPEST) return true;
  }
  return false;
}
