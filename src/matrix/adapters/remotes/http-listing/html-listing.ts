import { unescapeMarkup } from '../../../../platform/core/text/html.ts';
import type { ListedEntry } from './http-listing.ts';

/** What pages that list a folder say about themselves: nginx, Apache, lighttpd; Python; gcsweb. */
const LISTING =
  /<title>[^<]*(?:index of|directory listing|gcs(?:web)?\b)|<h1>\s*index of|\/icons\/(?:dir|file|folder|back)\.png/i;
/** Looks ahead only: the next link may be near. */
const LINK = /<a\s([^<>]{1,8192})>(?=(.{0,200}))/gis;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The entries of a page: links to what is directly below it. Undefined when the page does not list a folder. */
export function readHtmlListing(html: string, base: URL): readonly ListedEntry[] | undefined {
  const entries = new Map<string, ListedEntry>();
  for (const [, attributes = '', behind = ''] of html.matchAll(LINK)) {
    const entry = toEntry(attributes, behind, base);
    if (entry && !entries.has(entry.name)) entries.set(entry.name, entry);
  }
  return entries.size > 0 || LISTING.test(html) ? [...entries.values()] : undefined;
}

function toEntry(attributes: string, behind: string, base: URL): ListedEntry | undefined {
  const [, double, single, bare] = HREF.exec(attributes) ?? [];
  const href = unescapeMarkup(double ?? single ?? bare ?? '');
  // Columns to sort by, marks in the page, and scripts.
  if (href === '' || /^[?#]|^(?:javascript|mailto|data):/i.test(href) || !URL.canParse(href, base.href))
    return undefined;
  const url = new URL(href, base);
  const icon = /^\s*<img[^>]*\/icons\/(dir|file)\.png/i.exec(behind)?.[1];
  if (url.host !== base.host) return icon === 'file' ? elsewhere(url) : undefined;
  if (!url.pathname.startsWith(base.pathname) || (url.search !== '' && icon === undefined)) return undefined;
  const rest = url.pathname.slice(base.pathname.length);
  const name = rest.replace(/\/$/, '');
  if (name === '' || name.includes('/')) return undefined;
  const isFolder = rest.endsWith('/') || icon === 'dir';
  return { name: decoded(name), type: isFolder ? 'folder' : 'file' };
}

/** gcsweb shows the folders itself and has the files fetched from the bucket. */
function elsewhere(url: URL): ListedEntry | undefined {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  return name === '' ? undefined : { name: decoded(name), type: 'file', href: url };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
