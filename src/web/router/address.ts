/** Where the reader is: a path and its parameters. The whole state of a view is here, so that a link shows the same. */
export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** In the static site everything is one file: addresses stand behind its "#". */
export type AddressStyle = 'path' | 'hash';

let style: AddressStyle = 'path';
const listeners = new Set<() => void>();

/** Before the first page is drawn. */
export function startAddresses(chosen: AddressStyle): void {
  style = chosen;
  addEventListener('popstate', tell);
  addEventListener('hashchange', tell);
}

export function currentAddress(): Address {
  const text = style === 'hash' ? location.hash.slice(1) || '/' : location.pathname + location.search;
  const [path = '/', query = ''] = text.split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** What a link to a place of ours has as `href`. */
export function hrefOf(place: string): string {
  return style === 'hash' ? `#${place}` : place;
}

/** Goes there; back leads here again unless the step is only a finer choice on the same page. */
export function goTo(place: string, { isReplacing = false } = {}): void {
  if (isReplacing) history.replaceState(null, '', hrefOf(place));
  else history.pushState(null, '', hrefOf(place));
  tell();
  if (!isReplacing) scrollTo(0, 0);
}

export function onAddress(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
