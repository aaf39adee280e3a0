import type { JsonValue } from './json.ts';

/** A value of a setting as the old tools write it in names and keys: True, None, 4, text as it is. */
export function settingText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return innerText(value);
}

function innerText(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(innerText).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `'${key}': ${innerText(field)}`)
    .join(', ')}}`;
}
