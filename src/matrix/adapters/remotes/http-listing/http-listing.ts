import { NightmarkError } from '../../../../platform/core/errors.ts';
import { unescapeMarkup } from '../../../../platform/core/text/html.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { RemoteEntry, RemoteFolder, RemoteFolders, RemoteOptions } from '../../../core/remote-folder.ts';
import { rangeHeaders, requireAllowedHost, toRemoteFile, type WebAnswer, webGet } from '../download-http.ts';

/** A listing of a hundred thousand files is smaller. */
const LARGEST_LISTING = 64 * 1024 * 1024;

/** An entry, and its address where that is not below the folder. */
export interface ListedEntry extends RemoteEntry {
  readonly href?: URL;
}

/** Folders that a web server lists as a page: nginx, Apache, Python, gcsweb and similar ones. */
const httpListing: RemoteFolders = {
  id: 'http-listing',
  accepts: (url) => /^https?:\/\//i.test(url),
  open: (url, options) => new HttpFolder(rootOf(url), options),
};

class HttpFolder implements RemoteFolder {
  readonly hidesDotFiles = true;
  readonly #root: URL;
  readonly #options: RemoteOptions;
  /** Files on other hosts, by path. */
  readonly #elsewhere = new Map<string, URL>();

  constructor(root: URL, options: RemoteOptions) {
    this.#root = root;
    this.#options = options;
  }

  async list(path: string): Promise<readonly RemoteEntry[]> {
    const url = this.#address(path === '' ? '' : `${path}/`);
    const entries = await readListing(await this.#get(url, {}), url);
    return entries.map(({ href, ...entry }) => {
      if (href) this.#elsewhere.set(path === '' ? entry.name : `${path}/${entry.name}`, href);
      return entry;
    });
  }

  async open(path: string, resume?: { readonly offset: number; readonly tag: string }) {
    const url = this.#elsewhere.get(path) ?? this.#address(path);
    requireAllowedHost(url, this.#root, this.#options.allowedHosts);
    return toRemoteFile(await this.#get(url, rangeHeaders(resume)), resume);
  }

  #get(url: URL, headers: Readonly<Record<string, string>>): Promise<WebAnswer> {
    const { allowedHosts, signal, idleMs } = this.#options;
    return webGet(url, { headers, allowedHosts, signal, idleMs, followsRedirects: true });
  }

  #address(path: string): URL {
    const url = new URL(this.#root);
    url.pathname += path.split('/').map(encodeURIComponent).join('/');
    return url;
  }
}

function rootOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    const why = url === undefined ? 'is not a valid address' : 'has a user or a password in the address';
    throw new NightmarkError('DOWNLOAD_BAD_URL', `${url?.host ?? text} ${why}.`, {
      hint: 'An address begins with https:// or http:// and the host. It is stored with the results, so it must not contain a password.',
    });
  }
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function readListing(answer: WebAnswer, requested: URL): Promise<readonly ListedEntry[]> {
  const type = answer.header('content-type') ?? '';
  const text = await answer.text(LARGEST_LISTING);
  // Links are relative to the address of the page, also after a redirect.
  const base = answer.url.host === requested.host ? answer.url : requested;
  const entries = /json/i.test(type) ? readJsonListing(text) : readHtmlListing(text, base);
  if (entries !== undefined) return entries;
  throw new NightmarkError(
    'DOWNLOAD_NO_LISTING',
    `${requested.origin}${requested.pathname} is not a listing of a folder (${type || 'no type'}).`,
    {
      hint: 'Listings of nginx (HTML and JSON), Apache, Python and gcsweb are supported; enable one, or use s3://.',
    },
  );
}

export default httpListing;

/** Titles and icons of pages that list a folder: nginx, Apache, lighttpd; Python; gcsweb. */
const LISTING =
  /<title>[^<]*(?:index of|directory listing|gcs(?:web)?\b)|<h1>\s*index of|\/icons\/(?:dir|file|folder|back)\.png/i;
/** Only looks ahead: the next link may begin within these characters. */
const LINK = /<a\s([^<>]{1,8192})>(?=(.{0,200}))/gis;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The entries of a page: links directly below it. Undefined when the page is not a listing. */
export function readHtmlListing(html: string, base: URL): readonly ListedEntry[] | undefined {
  const entries = new Map<string, ListedEntry>();
  for (const [, attributes = '', behind = ''] of html.matchAll(LINK)) {
    const entry = linkEntry(attributes, behind, base);
    if (entry && !entries.has(entry.name)) entries.set(entry.name, entry);
  }
  return entries.size > 0 || LISTING.test(html) ? [...entries.values()] : undefined;
}

function linkEntry(attributes: string, behind: string, base: URL): ListedEntry | undefined {
  const [, double, single, bare] = HREF.exec(attributes) ?? [];
  const href = unescapeMarkup(double ?? single ?? bare ?? '');
  // Links that sort columns, anchors in the page, and scripts.
  if (href === '' || /^[?#]|^(?:javascript|mailto|data):/i.test(href) || !URL.canParse(href, base.href))
    return undefined;
  const url = new URL(href, base);
  const icon = /^\s*<img[^>]*\/icons\/(dir|file)\.png/i.exec(behind)?.[1];
  if (url.host !== base.host) return icon === 'file' ? otherHostEntry(url) : undefined;
  if (!url.pathname.startsWith(base.pathname) || (url.search !== '' && icon === undefined)) return undefined;
  const rest = url.pathname.slice(base.pathname.length);
  const name = rest.replace(/\/$/, '');
  if (name === '' || name.includes('/')) return undefined;
  const isFolder = rest.endsWith('/') || icon === 'dir';
  return { name: decoded(name), type: isFolder ? 'folder' : 'file' };
}

/** gcsweb lists the folders; its files are links to the bucket. */
function otherHostEntry(url: URL): ListedEntry | undefined {
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

/** nginx with "autoindex_format json"; undefined for other text. */
export function readJsonListing(text: string): readonly ListedEntry[] | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!Array.isArray(value)) return undefined;
  const entries = value.map(jsonEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function jsonEntry(value: JsonValue): ListedEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, type, size } = value;
  if (typeof name !== 'string' || (type !== 'directory' && type !== 'file')) return undefined;
  if (type === 'directory') return { name: name.replace(/\/$/, ''), type: 'folder' };
  return { name, type, ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }) };
}
