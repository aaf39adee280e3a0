import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Problem } from '../core/model/home.ts';
import { type ExactJson, JsonNumber, parseExactJson } from '../core/text/exact-json.ts';
import type { JsonValue } from '../core/text/json.ts';

/** A definition file that could be parsed: its value, and where each part of it stands. */
export interface Definition {
  readonly file: string;
  readonly value: JsonValue;
  /** Line and column of the value at the path, or of its key; of the nearest parent where there is nothing. */
  positionOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Position;
}

export interface Position {
  readonly line?: number;
  readonly column?: number;
}

export type Parsed =
  | { readonly state: 'parsed'; readonly definition: Definition }
  | { readonly state: 'broken'; readonly problems: readonly Problem[] };

/** Larger than any definition that a person or a generator has reason to write. */
export const LARGEST_DEFINITION_BYTES = 4 * 1024 * 1024;
const LARGEST_UNFOLDED = 2 * LARGEST_DEFINITION_BYTES;

/** JSON as Python reads it: NaN is a number, the last of two equal keys wins. */
export function parseJsonDefinition(file: string, text: string): Parsed {
  const clean = text.replace(/^\uFEFF/, '');
  const unusable = whyUnusable(file, clean);
  if (unusable) return { state: 'broken', problems: [unusable] };
  try {
    const value = toPlain(parseExactJson(clean));
    // Nearly all files are without problems: the slower parse that knows positions waits until one is asked for.
    let located: ReturnType<typeof locate> | undefined;
    const positionOf: Definition['positionOf'] = (path, part) => {
      located ??= locate(clean);
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
export function parseYamlDefinition(file: string, text: string): Parsed {
  const clean = text.replace(/^\uFEFF/, '');
  const unusable = whyUnusable(file, clean);
  if (unusable) return { state: 'broken', problems: [unusable] };
  try {
    const { document, counter, positionOf } = locate(clean, { uniqueKeys: true });
    const complaints = [...document.errors, ...document.warnings];
    if (complaints.length > 0) {
      return { state: 'broken', problems: complaints.slice(0, 50).map((c) => toProblem(file, c, counter)) };
    }
    const value = document.toJS({ maxAliasCount: 100 }) as JsonValue; // the core schema knows JSON's types only
    const excess = whyNoTree(value);
    if (excess !== undefined) return broken(file, `an alias cannot be used: ${excess}`);
    return { state: 'parsed', definition: { file, value, positionOf } };
  } catch (error) {
    if (error instanceof RangeError) return broken(file, 'the file is nested too deeply');
    if (error instanceof ReferenceError) return broken(file, `an alias cannot be used: ${error.message}`);
    throw error;
  }
}

/** Aliases make graphs of what should be a tree: those that contain themselves or unfold to something huge. */
function whyNoTree(root: JsonValue): string | undefined {
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
  const found = text[at] === '\0' ? 'a NUL character' : 'bytes that are no UTF-8';
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

function toProblem(
  file: string,
  complaint: Document['errors'][number] | Document['warnings'][number],
  counter: LineCounter,
): Problem {
  const { line, col } = counter.linePos(complaint.pos[0]);
  return { severity: 'error', file, line, column: col, message: complaint.message };
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

function locate(text: string, { uniqueKeys = false } = {}) {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    uniqueKeys,
    logLevel: 'error', // with 'silent' a second document goes unseen
  });
  const positionOf: Definition['positionOf'] = (path, part = 'value') => {
    const start = offsetOf(document, path, part);
    if (start === undefined) return {};
    const { line, col } = counter.linePos(start);
    return { line, column: col };
  };
  return { document, counter, positionOf };
}

function offsetOf(document: Document, path: readonly PropertyKey[], part: 'key' | 'value') {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === String(step));
      if (!pair) return offset;
      const wantsKey = part === 'key' && index === path.length - 1;
      offset = (wantsKey ? undefined : startOf(pair.value)) ?? startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
