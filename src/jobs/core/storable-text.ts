/** Not storable everywhere: some databases end text at NUL, others refuse unpaired surrogates. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Quick check of text or JSON text that may contain such characters. */
const SUSPECT = /\0|[\uD800-\uDFFF]|\\u0000|\\u[dD][89a-fA-F]/;

/** Replaces NUL by its symbol and unpaired surrogates by the replacement character. */
export function storable<T>(value: T): T {
  if (!SUSPECT.test(JSON.stringify(value) ?? '')) return value;
  return clean(value) as T;
}

/** Path of the first NUL in the value; undefined when there is none. */
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
