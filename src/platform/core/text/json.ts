export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON as Python's json.dump writes it by default: one line, ", " and ": ", ASCII escapes.
 * Old readers compare these files as text. A number that Python would have as a float looks
 * like an integer here: 1.0 comes out as 1.
 */
export function pythonJson(value: JsonValue): string {
  if (typeof value === 'string') return asciiString(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([key, field]) => `${asciiString(key)}: ${pythonJson(field)}`);
    return `{${fields.join(', ')}}`;
  }
  return JSON.stringify(value);
}

function asciiString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One text or a list of them, as old configurations have it. */
export function texts(value: JsonValue | undefined): readonly string[] {
  const list: readonly JsonValue[] = Array.isArray(value)
    ? value
    : value === undefined
      ? []
      : [value as JsonValue];
  return list.flatMap((item) => (typeof item === 'string' && item !== '' ? [item] : []));
}

const cachedTexts = new WeakMap<object, string>();

/** The JSON of an object that never changes and is needed often: the commits of a run, in every history. */
export function cachedJson(value: object): string {
  const known = cachedTexts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  cachedTexts.set(value, text);
  return text;
}

/** JSON as Go writes it: what HTML would read is escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
