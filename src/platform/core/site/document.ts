/**
 * A document of a static site: one call with a path and a JSON text. Pages opened from disk may not fetch files, but
 * they may load scripts; and as the JSON is a string literal, nothing of what experiments wrote is ever executed.
 */
export function documentText(path: string, content: unknown): string {
  return `${CALL}(${literal(path)},${literal(JSON.stringify(content))});\n`;
}

/** What `documentText` was given; undefined when the text is none of its own. */
export function readDocument(text: string): { readonly path: string; readonly content: unknown } | undefined {
  if (!text.startsWith(`${CALL}(`) || !text.endsWith(');\n')) return undefined;
  try {
    const [path, json] = JSON.parse(`[${text.slice(CALL.length + 1, -3)}]`) as [unknown, unknown];
    if (typeof path !== 'string' || typeof json !== 'string') return undefined;
    return { path, content: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}

/** The function that a page defines before it loads a document. */
const CALL = 'nightmarkDocument';

/** Safe in a script file and between script tags: no character that ends a line or opens a tag. */
function literal(text: string): string {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[<\u2028\u2029]/g, code);
}
