import { type ExactJson, JsonNumber, writeExactJson } from '../../../platform/core/text/exact-json.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';

/** JSON as Python writes it with indent=1, numbers as they were read. */
export function indentedJson(value: ExactJson, depth = 0): string {
  if (value instanceof JsonNumber || typeof value !== 'object' || value === null)
    return writeExactJson(value);
  const isMap = value instanceof Map;
  const items = isMap
    ? [...value].map(([key, field]) => `${pythonJson(key)}: ${indentedJson(field, depth + 1)}`)
    : (value as readonly ExactJson[]).map((item) => indentedJson(item, depth + 1));
  const [open, close] = isMap ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  const blanks = `\n${' '.repeat(depth + 1)}`;
  return `${open}${blanks}${items.join(`,${blanks}`)}\n${' '.repeat(depth)}${close}`;
}
