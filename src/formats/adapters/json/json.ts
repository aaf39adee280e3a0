import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Format, ResultMapping } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { readTable } from '../../core/read-table.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading.ts';
import { createTable } from '../../core/row-table.ts';
import { createSelection } from '../../core/selection.ts';
import type { Table } from '../../core/table.ts';
import { readTree } from './tree.ts';

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
  // Where the values are named, what else is in the object is not asked for.
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
