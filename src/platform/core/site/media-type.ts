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
