import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Cell } from '../../core/cell.ts';
import { listOfIndexMap } from '../../core/index-map.ts';
import { MAX_DEPTH, tooDeep } from '../../core/parse-json.ts';
import { addCell, readTable } from '../../core/read-table.ts';
import type { ReadingBuilder } from '../../core/reading.ts';
import { createTable } from '../../core/row-table.ts';
import type { Selection } from '../../core/selection.ts';

/**
 * Walks a tree. A number is a value and its path the benchmark; a list of numbers is several values of one benchmark;
 * a list of objects is a table. A mapped value is a key: it is the metric wherever a path ends with it.
 */
export function readTree(root: JsonValue, selection: Selection, reading: ReadingBuilder): void {
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

/** Text and booleans alone are no results, except where the mapping says that a number is to be found there. */
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
    ...(selection.better === undefined ? {} : { better: selection.better }),
  });
  addCell(leaf, add, { where: () => (dotted === '' ? 'the list' : `"${dotted}"`), reading });
}
