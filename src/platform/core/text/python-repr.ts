import { isJsonObject, type JsonValue } from './json.ts';
import { pythonFloat } from './python-float.ts';

/** A JSON value as Python shows it inside of another one: old texts quote configurations so. */
export function pythonRepr(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : pythonFloat(value);
  if (typeof value === 'string') return quoted(value);
  if (!isJsonObject(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const fields = Object.entries(value).map(([key, field]) => `${quoted(key)}: ${pythonRepr(field)}`);
  return `{${fields.join(', ')}}`;
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}`;
}
