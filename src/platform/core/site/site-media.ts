/** The content type of a file of a site, by its name; plain bytes where nothing is known, which no browser executes. */
export function mediaType(path: string): string {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(ending) ?? 'application/octet-stream';
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json'],
  ['txt', 'text/plain; charset=utf-8'],
  ['log', 'text/plain; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['ico', 'image/x-icon'],
  ['woff2', 'font/woff2'],
  ['pdf', 'application/pdf'],
]);

/**
 * Whether an SVG from an experiment may lie on a web server without a Content-Security-Policy: opened by itself it is
 * a page, and its scripts would be those of the site. Strict: what is not plainly a drawing is not a drawing. `text` has one
 * character for each byte.
 */
export function isHarmlessSvg(text: string): boolean {
  // Other encodings would hide everything that is searched for below.
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|!--|!DOCTYPE|svg)/i.test(text) || text.includes('\0'))
    return false;
  const encoding = /^[^>]*?encoding\s*=\s*["']([^"']*)/i.exec(text.slice(0, 200))?.[1];
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|iso-8859-1)$/i.test(encoding)) return false;
  return !HARMFUL.some((pattern) => pattern.test(text));
}

const HARMFUL: readonly RegExp[] = [
  /<\s*(?:[\w.-]+:)?(?:script|foreignObject|iframe|embed|object|handler|listener|set|animate\w*)\b/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /(?:java|vb)script\s*:/i,
  /<!ENTITY/i,
  /<!DOCTYPE[^>]*\[/i,
  /<\?xml-stylesheet/i,
  /@import|expression\s*\(/i,
  /href\s*=(?!\s*["'](?:#|data:image\/(?:png|jpeg|gif|webp)[;,]))/i,
  /&#/, // a character reference could spell any of the above
];

/** The same of the bytes of a file. */
export function isHarmlessSvgFile(bytes: Uint8Array): boolean {
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return isHarmlessSvg(text);
}
