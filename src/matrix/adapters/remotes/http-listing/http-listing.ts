import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { RemoteEntry, RemoteFolder, RemoteFolders, RemoteOptions } from '../../../core/remote-folder.ts';
import { rangeHeaders, toRemoteFile } from '../ranges.ts';
import { refuseOtherHost, type WebAnswer, webGet } from '../web-get.ts';
import { readHtmlListing } from './html-listing.ts';
import { readJsonListing } from './json-listing.ts';

/** A listing of a hundred thousand files is smaller than that. */
const LARGEST_LISTING = 64 * 1024 * 1024;

/** An entry, and its address where that is not the one of the folder with the name behind. */
export interface ListedEntry extends RemoteEntry {
  readonly href?: URL;
}

/** Folders that a web server shows as a page: nginx, Apache, Python, gcsweb and others that are alike. */
const httpListing: RemoteFolders = {
  id: 'http-listing',
  accepts: (url) => /^https?:\/\//i.test(url),
  open: (url, options) => new HttpFolder(rootOf(url), options),
};

class HttpFolder implements RemoteFolder {
  readonly hidesDotFiles = true;
  readonly #root: URL;
  readonly #options: RemoteOptions;
  /** Files that lie elsewhere, by their path. */
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
    refuseOtherHost(url, this.#root, this.#options.allowedHosts);
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
    const why = url === undefined ? 'is no address' : 'has a name or a password in it';
    throw new NightmarkError('DOWNLOAD_BAD_URL', `${url?.host ?? text} ${why}.`, {
      hint: 'An address begins with https:// or http:// and the host; it is written beside the results, for everyone to read.',
    });
  }
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function readListing(answer: WebAnswer, asked: URL): Promise<readonly ListedEntry[]> {
  const type = answer.header('content-type') ?? '';
  const text = await answer.text(LARGEST_LISTING);
  // Links are relative to where the page was found, after a redirect too.
  const base = answer.url.host === asked.host ? answer.url : asked;
  const entries = /json/i.test(type) ? readJsonListing(text) : readHtmlListing(text, base);
  if (entries !== undefined) return entries;
  throw new NightmarkError(
    'DOWNLOAD_NO_LISTING',
    `${asked.origin}${asked.pathname} is no listing of a folder (${type || 'no type'}).`,
    {
      hint: 'Listings of nginx (HTML and JSON), Apache, Python and gcsweb are understood; switch one on, or use s3://.',
    },
  );
}

export default httpListing;
