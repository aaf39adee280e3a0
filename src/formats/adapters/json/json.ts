import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Cell } from '../../core/cell.ts';
import type { Format, ResultMapping } from '../../core/format.ts';
import { listOfIndexMap, MAX_DEPTH, parseResultJson, tooDeep } from '../../core/parse-json.ts';
import { addCell, readTable } from '../../core/read-table.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';
import { createSelection, createTable, type Selection, type Table } from '../../core/result-table.ts';

/** Any JSON file: a tree of numbers, or lists of objects. */
const json: Format = {
  id: 'json',
  title: 'JSON, a tree of numbers or a list of objects',
  recognizes: (head) => (/^\uFEFF?\s*[{[]/.test(head) ? 'maybe' : 'no'),
  read(text, mapping) {
    const root = parseResultJson(text, HINT);
    if (typeof root !== 'object' || root === null) {
      throw new NightmarkError('IMPORT_SHAPE', 'It is neither an object nor a list.', { hint: HINT });
    }
    const reading = createReading();
    const selection = createSelection(mapping);
    const single = isJsonObject(root) ? asOneRow(root, mapping, reading) : undefined;
    if (single) readTable(single, selection, reading);
    else readTree(root, selection, reading);
    selection.requireAllUsed();
    return requireNumbers(reading.finish(), HINT);
  },
};

const HINT =
  'Write an object such as {"sort": {"seconds": 1.2}}, or a list of objects with a name and numbers.';

/** {"bench": "sort", "stats": {"mean": 1}} with value "stats.mean" and name "bench" is one row. */
function asOneRow(
  root: JsonObject,
  { value, name }: ResultMapping,
  reading: ReadingBuilder,
): Table | undefined {
  const wanted = [value ?? [], name ?? []].flat();
  if (wanted.length === 0 || !wanted.every((path) => isCell(valueAt(root, path)))) return undefined;
  // Where the values are named, the rest of the object is not read.
  const table = createTable((sentence) => value === undefined && reading.failed.push(sentence));
  table.add(root, 'the object');
  return table.finish([]);
}

function isCell(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return !value.some((item) => typeof item === 'object' && item !== null);
  return value !== undefined && !isJsonObject(value);
}

function valueAt(root: JsonObject, path: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const key of path.split('.')) {
    node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node ?? (Object.hasOwn(root, path) ? root[path] : undefined);
}

export default json;

/**
 * Walks a tree. A number is a value and its path the benchmark; a list of numbers is several values of one benchmark;
 * a list of objects is a table. A mapped value is a key: it is the metric wherever a path ends with it.
 */
function readTree(root: JsonValue, selection: Selection, reading: ReadingBuilder): void {
  walk(root, [], { selection, reading });
}

interface Walk {
  readonly selection: Selection;
  readonly reading: ReadingBuilder;
}

function walk(node: JsonValue, path: readonly string[], context: Walk): void {
  if (path.length > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(node)) walkList(node as readonly JsonValue[], path, context);
  else if (!isJsonObject(node)) addLeaf(node, path, context);
  else walkObject(node, path, context);
}

function walkObject(object: JsonObject, path: readonly string[], context: Walk): void {
  const list = listOfIndexMap(object);
  if (list) addLeaf(list, path, context);
  else for (const [key, child] of Object.entries(object)) walk(child, [...path, key], context);
}

function walkList(list: readonly JsonValue[], path: readonly string[], context: Walk): void {
  const { selection, reading } = context;
  const flat: JsonValue[] = [];
  const table = createTable((sentence) => reading.failed.push(sentence));
  let objects = 0;
  for (const [index, item] of list.entries()) {
    if (isJsonObject(item)) objects = table.add(item, `${path.join('.') || 'the list'}[${index}]`);
    else if (Array.isArray(item)) walk(item, [...path, String(index)], context);
    else flat.push(item);
  }
  if (flat.length > 0) addLeaf(flat, path, context);
  if (objects > 0) readTable(table.finish(path), selection, reading);
}

/** Text and booleans alone are not results, except where the mapping says that a number is to be found there. */
function addLeaf(leaf: Cell, path: readonly string[], { selection, reading }: Walk): void {
  const dotted = path.join('.');
  const isTalk = [leaf].flat().every((item) => typeof item === 'string' || typeof item === 'boolean');
  if (!isTalk) selection.offer(dotted);
  const wanted = selection.values?.find((value) => dotted === value || dotted.endsWith(`.${value}`));
  if (selection.values ? wanted === undefined : isTalk) return;
  if (wanted !== undefined) selection.use(wanted);
  const own = wanted === undefined ? 0 : wanted.split('.').length;
  const add = reading.set({
    benchmark: path.slice(0, Math.max(0, path.length - own)),
    metric: wanted ?? 'value',
    unit: selection.unit ?? '',
    better: selection.better ?? 'unknown',
  });
  addCell(leaf, add, { where: () => (dotted === '' ? 'the list' : `"${dotted}"`), reading });
}
