import { isJsonObject, type JsonValue } from '../text/json.ts';

/** A JSON value as Python shows it: old messages quote configurations so. */
export function pythonRepr(value: JsonValue): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([key, field]) => `${quoted(key)}: ${pythonRepr(field)}`);
    return `{${fields.join(', ')}}`;
  }
  return String(value);
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
