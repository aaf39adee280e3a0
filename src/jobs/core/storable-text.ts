/** What no program that reads a store of ours may meet: NUL ends texts in some, half a character is refused by others. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** A text or a JSON text that has none of it; cheap to see for what is large and clean. */
const SUSPECT = /\0|[\uD800-\uDFFF]|\\u0000|\\u[dD][89a-fA-F]/;

/** A value whose texts can be stored everywhere: NUL becomes its picture, half a character the mark of one. */
export function storable<T>(value: T): T {
  if (!SUSPECT.test(JSON.stringify(value) ?? '')) return value;
  return clean(value) as T;
}

/** Where a NUL hides in the value, as a path; undefined when it has none. */
export function findNul(value: unknown, path = ''): string | undefined {
  if (path === '' && !JSON.stringify(value).includes('\\u0000')) return undefined;
  if (typeof value === 'string') return value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const inside = path === '' ? key : `${path}.${key}`;
    if (key.includes('\0')) return path === '' ? 'a key' : `a key of ${path}`;
    const found = findNul(item, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clean);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), clean(item)]));
}

function cleanText(text: string): string {
  return text.replace(UNSTORABLE, (character) => (character === '\0' ? '\u2400' : '\uFFFD'));
}
