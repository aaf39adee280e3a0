import { type Document, isAlias, isScalar, isSeq, visit } from 'yaml';
import type { Disk } from '../core/disk.ts';
import { NightmarkError, type Problem } from '../core/errors.ts';
import { type ExactJson, JsonNumber, parseExactJson } from '../core/text/exact-json.ts';
import type { JsonValue } from '../core/text/json.ts';
import { isNestedTooDeeply } from './parse-yaml.ts';
import { type PositionOf, parseWithPositions, type YamlOptions, type YamlProblem } from './yaml-positions.ts';

/** A definition file that could be parsed: its value, and where each part of it stands. */
export interface Definition {
  readonly file: string;
  readonly value: JsonValue;
  /** Line and column of the value at the path, or of its key; of the nearest parent where there is nothing. */
  readonly positionOf: PositionOf;
  /** A scalar as it is written in YAML, where numbers say more than their value: 1.0. */
  readonly sourceOf?: (path: readonly PropertyKey[]) => string | undefined;
}

export type Parsed =
  | { readonly state: 'parsed'; readonly definition: Definition }
  | { readonly state: 'broken'; readonly problems: readonly Problem[] };

/** Larger than any definition that a person or a generator has reason to write. YAML takes long to parse. */
export const LARGEST_BYTES = { json: 4 * 1024 * 1024, yaml: 1024 * 1024 } as const;
/** One mistake can make thousands. */
const MOST_COMPLAINTS = 50;
const LARGEST_UNFOLDED = 8 * LARGEST_BYTES.yaml;

/** JSON as Python reads it: NaN is a number, the last of two equal keys wins. */
export function parseJsonDefinition(file: string, text: string): Parsed {
  const clean = text.replace(/^\uFEFF/, '');
  const unusable = whyUnusable(file, clean);
  if (unusable) return { state: 'broken', problems: [unusable] };
  try {
    const value = toPlain(parseExactJson(clean));
    // Nearly all files are without problems: the slower parse with positions waits until one is needed.
    let located: ReturnType<typeof parseWithPositions> | undefined;
    const positionOf: PositionOf = (path, part) => {
      if (clean.length > LARGEST_BYTES.yaml) return {};
      located ??= parseWithPositions(clean);
      return located.positionOf(path, part);
    };
    return { state: 'parsed', definition: { file, value, positionOf } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, message = error.message, line, column] =
      /^(.*) at line (\d+), column (\d+)$/s.exec(error.message) ?? [];
    const position = line === undefined ? {} : { line: Number(line), column: Number(column) };
    return { state: 'broken', problems: [{ severity: 'error', file, ...position, message }] };
  }
}

/** YAML 1.2 without tags; duplicate keys, several documents and exploding aliases are problems. */
export function parseYamlDefinition(file: string, text: string, options: YamlOptions = {}): Parsed {
  const clean = text.replace(/^\uFEFF/, '');
  const unusable = whyUnusable(file, clean);
  if (unusable) return { state: 'broken', problems: [unusable] };
  if (isNestedTooDeeply(clean)) return broken(file, 'the file is nested too deeply');
  try {
    const { document, complaints, positionOf, sourceOf } = parseWithPositions(clean, options);
    if (complaints.length > 0) {
      const problems = complaints.slice(0, MOST_COMPLAINTS).map((complaint) => toProblem(file, complaint));
      return { state: 'broken', problems };
    }
    if (options.mergesKeys && copiesTooManyKeys(document))
      return broken(file, 'merge keys ("<<") copy too much');
    const value = document.toJS({ maxAliasCount: options.mergesKeys ? 1000 : 100 }) as JsonValue; // the core schema has JSON's types only
    const excess = whyNotATree(value);
    if (excess !== undefined) return broken(file, `an alias cannot be used: ${excess}`);
    return { state: 'parsed', definition: { file, value, positionOf, sourceOf } };
  } catch (error) {
    if (error instanceof RangeError) return broken(file, 'the file is nested too deeply');
    if (error instanceof ReferenceError) return broken(file, `an alias cannot be used: ${error.message}`);
    throw error;
  }
}

/** The value at a path; undefined when there is nothing. */
export function valueAt(value: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<PropertyKey, JsonValue>>)[step];
  }
  return at;
}

/** Aliases make graphs of what should be a tree: those that contain themselves or unfold to something huge. */
function whyNotATree(root: JsonValue): string | undefined {
  const parents = new Set<JsonValue>();
  let size = 0;
  const visit = (value: JsonValue): string | undefined => {
    size += typeof value === 'string' ? value.length : 1;
    if (size > LARGEST_UNFOLDED) return `the file unfolds to more than ${LARGEST_UNFOLDED} characters`;
    if (typeof value !== 'object' || value === null) return undefined;
    if (parents.has(value)) return 'it contains itself';
    parents.add(value);
    for (const inner of Object.values(value)) {
      const reason = visit(inner);
      if (reason !== undefined) return reason;
    }
    parents.delete(value);
    return undefined;
  };
  return visit(root);
}

function whyUnusable(file: string, text: string): Problem | undefined {
  const at = text.search(/[\uFFFD\0]/);
  if (at < 0) return undefined;
  const before = text.slice(0, at);
  const found = text[at] === '\0' ? 'a NUL character' : 'bytes that are not UTF-8';
  return {
    severity: 'error',
    file,
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
    message: `expected text in UTF-8, found ${found}`,
    hint: 'Save the file as UTF-8 text.',
  };
}

function broken(file: string, message: string): Parsed {
  return { state: 'broken', problems: [{ severity: 'error', file, message }] };
}

function toProblem(file: string, complaint: YamlProblem): Problem {
  return { severity: 'error', file, ...complaint };
}

/** Object.fromEntries defines keys instead of assigning them: "__proto__" is a key like any other. */
function toPlain(value: ExactJson): JsonValue {
  if (value instanceof JsonNumber) return value.value;
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, field]) => [key, toPlain(field as ExactJson)]));
  }
  if (Array.isArray(value)) return value.map(toPlain);
  return value as string | boolean | null;
}

/** Reads and parses a file; a file that cannot be read is a problem like any other, a missing one is undefined. */
export async function readDefinition(file: string, disk: Disk): Promise<Parsed | undefined> {
  try {
    const language = file.endsWith('.json') ? 'json' : 'yaml';
    const text = await disk.readText(file, { maxBytes: LARGEST_BYTES[language] });
    if (text === undefined) return undefined;
    return language === 'json' ? parseJsonDefinition(file, text) : parseYamlDefinition(file, text);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return { state: 'broken', problems: [{ severity: 'error', file, message: error.message, ...hint }] };
  }
}

/** Far beyond what people share between blocks. */
const MOST_COPIED = 100_000;

/**
 * Whether "<<" copies keys beyond all reason: a file of thousands of keys that are merged a thousand times takes minutes
 * and gigabytes. No merge brings in more keys than all mappings with an anchor have together.
 */
function copiesTooManyKeys(document: Document): boolean {
  let merges = 0;
  let keys = 0;
  visit(document, {
    Map(_, map) {
      if (map.anchor !== undefined) keys += map.items.length;
    },
    Pair(_, { key, value }) {
      if (isScalar(key) && key.source === '<<')
        merges += isSeq(value) ? value.items.filter(isAlias).length : 1;
    },
  });
  return merges * keys > MOST_COPIED;
}
