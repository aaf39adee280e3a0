import { useEffect, useState } from 'preact/hooks';

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
  addEventListener('popstate', () => {
    notifyListeners();
    restoreScroll();
  });
  addEventListener('pagehide', rememberScroll);
  restoreScroll();
  addEventListener('hashchange', notifyListeners);
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
  if (isReplacing) history.replaceState(history.state, '', hrefOf(place));
  else {
    rememberScroll();
    history.pushState(null, '', hrefOf(place));
  }
  notifyListeners();
  if (!isReplacing) scrollTo(0, 0);
}

function onAddress(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** With the entry of the history: a reader who comes back is where they were. */
function rememberScroll(): void {
  history.replaceState({ y: scrollY }, '');
}

/** A page that is fetched again is long enough only after a while; if the reader scrolls meanwhile, nothing is restored. */
const LATEST_MS = 3_000;
const CALM_CHECKS = 5;

function restoreScroll(): void {
  const y = Math.round(Number((history.state as { readonly y?: unknown } | null)?.y ?? 0));
  if (!(y > 0)) return;
  const [place, until] = [location.href, Date.now() + LATEST_MS];
  const moved = new AbortController();
  for (const sign of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(sign, () => moved.abort(), { signal: moved.signal, passive: true });
  let calm = 0;
  const check = () => {
    if (moved.signal.aborted) return;
    // Parts that come in above would push away what was in sight.
    if (document.documentElement.scrollHeight >= y + innerHeight) scrollTo(0, y);
    calm =
      document.querySelector('main [aria-busy=true]') === null && Math.abs(scrollY - y) < 2 ? calm + 1 : 0;
    if (calm === CALM_CHECKS || location.href !== place || Date.now() > until) moved.abort();
    else setTimeout(check, 50);
  };
  check();
}

/** Renders again when the reader goes elsewhere. */
export function useAddress(): Address {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => onAddress(() => setAddress(currentAddress())), []);
  return address;
}

/** One parameter of the address, and how to set it; undefined or '' removes it. */
export function useParameter(
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] {
  const { query } = useAddress();
  return [query.get(name) ?? undefined, (value) => setParameters({ [name]: value })];
}

/** All values of a parameter that may stand there several times. */
export function useParameters(name: string): readonly string[] {
  return useAddress().query.getAll(name);
}

/** Sets several parameters at once and leaves the others; as a finer choice it makes no step in the history. */
export function setParameters(
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
  { isStep = false } = {},
): void {
  const { path, query } = currentAddress();
  for (const [name, value] of Object.entries(values)) {
    query.delete(name);
    for (const one of [value ?? []].flat()) if (one !== '') query.append(name, one);
  }
  const text = query.toString();
  goTo(text === '' ? path : `${path}?${text}`, { isReplacing: !isStep });
}

/** The range of x that a chart shows, in the address: "1700000000..1700086400". */
export function useZoom(
  name = 'zoom',
): readonly [readonly [number, number] | undefined, (zoom: readonly [number, number] | undefined) => void] {
  const [text, setText] = useParameter(name);
  return [readZoom(text), (zoom) => setText(zoom && `${zoom[0]}..${zoom[1]}`)];
}

export function readZoom(text: string | undefined): readonly [number, number] | undefined {
  const [from, to] = (text ?? '').split('..').map(Number);
  const isRange =
    from !== undefined && to !== undefined && Number.isFinite(from) && Number.isFinite(to) && from < to;
  return isRange ? [from, to] : undefined;
}
