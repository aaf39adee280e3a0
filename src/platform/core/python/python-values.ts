import { isJsonObject, type JsonValue } from '../text/json.ts';

/**
 * A double as Python writes it: the shortest digits that read back as the same number, with a point, and with an
 * exponent from 1e16 and below 1e-4 on (JavaScript: from 1e21 and below 1e-6 on).
 */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const size = Math.abs(value);
  if (size >= 1e16 || (size < 1e-4 && size > 0)) return withTwoDigits(value.toExponential());
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** 1e-7 is 1e-07 there. */
function withTwoDigits(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

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
