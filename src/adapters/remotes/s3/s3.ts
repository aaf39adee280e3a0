import { createHash, createHmac } from 'node:crypto';
import { NightmarkError } from '../../../core/errors.ts';
import type {
  RemoteEntry,
  RemoteFile,
  RemoteFolder,
  RemoteFolders,
  RemoteOptions,
  Resume,
} from '../../../core/ports/remote-folder.ts';
import { type S3Keys, type SigningHashes, s3Escape, signedHeaders } from '../../../core/s3/sign.ts';
import { rangeHeaders, toRemoteFile } from '../ranges.ts';
import { refused, type WebAnswer, webGet } from '../web-get.ts';
import { readPage } from './read-page.ts';

/** A page has a thousand keys of at most a thousand bytes, three for each where they are escaped. */
const LARGEST_PAGE = 16 * 1024 * 1024;
/** A server that never ends would otherwise be listened to for ever. */
const MOST_PAGES = 10_000;

/** Amazon S3, and servers that speak its language. */
export const s3: RemoteFolders = {
  id: 's3',
  accepts: (url) => /^s3:\/\//i.test(url),
  open(url, options) {
    const [, bucket, path = ''] = /^s3:\/\/([a-z\d][a-z\d._-]{1,62})(?:\/(.*))?$/is.exec(url) ?? [];
    if (bucket === undefined) {
      throw new NightmarkError('DOWNLOAD_BAD_URL', `${url} names no bucket.`, {
        hint: 'For example s3://bucket/path/of/results.',
      });
    }
    const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
    return new S3Folder(bucketAddress(bucket, options), prefix, options);
  },
};

class S3Folder implements RemoteFolder {
  readonly hidesDotFiles = false;
  /** Ends with "/". */
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #options: RemoteOptions;

  constructor(bucket: string, prefix: string, options: RemoteOptions) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#options = options;
  }

  async list(path: string): Promise<readonly RemoteEntry[]> {
    const prefix = path === '' ? this.#prefix : `${this.#prefix}${path}/`;
    const entries: RemoteEntry[] = [];
    let next: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const url = this.#listAddress(prefix, next);
      const page = readPage(await (await this.#get(url, {})).text(LARGEST_PAGE), prefix);
      if (page === undefined) throw noListing(url);
      entries.push(...page.entries);
      if (page.next !== undefined && page.next !== next) next = page.next;
      else if (entries.length > 0) return entries;
      else throw refused(new URL(prefix, this.#bucket), 'there is nothing');
    }
    throw refused(new URL(this.#bucket), `its listing has more than ${MOST_PAGES} pages`);
  }

  async open(path: string, resume?: Resume): Promise<RemoteFile> {
    const key = `${this.#prefix}${path}`.split('/').map(s3Escape).join('/');
    return toRemoteFile(await this.#get(new URL(`${this.#bucket}${key}`), rangeHeaders(resume)), resume);
  }

  #listAddress(prefix: string, next: string | undefined): URL {
    const words = { 'list-type': '2', delimiter: '/', 'encoding-type': 'url', prefix };
    const all = next === undefined ? words : { ...words, 'continuation-token': next };
    const query = Object.entries(all).map(([key, value]) => `${key}=${s3Escape(value)}`);
    return new URL(`${this.#bucket}?${query.join('&')}`);
  }

  #get(url: URL, headers: Readonly<Record<string, string>>): Promise<WebAnswer> {
    const { allowedHosts, signal, idleMs, env } = this.#options;
    const keys = keysOf(env);
    const sent = keys ? signed(url, headers, { keys, region: regionOf(env) }) : headers;
    return webGet(url, { headers: sent, allowedHosts, signal, idleMs, followsRedirects: false });
  }
}

const HASHES: SigningHashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
};

function signed(
  url: URL,
  headers: Readonly<Record<string, string>>,
  who: { readonly keys: S3Keys; readonly region: string },
): Readonly<Record<string, string>> {
  const all = signedHeaders({ method: 'GET', url, headers }, { ...who, at: new Date(), hashes: HASHES });
  const { host: _, ...sent } = all; // the client sends it by itself
  return sent;
}

/** Amazon has a host for each bucket; other servers, and names that no certificate covers, have the bucket in the path. */
function bucketAddress(bucket: string, { endpoint, env }: RemoteOptions): string {
  const given = endpoint ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const region = regionOf(env);
  if (given === undefined && !bucket.includes('.')) return `https://${bucket}.s3.${region}.amazonaws.com/`;
  const server = given ?? `https://s3.${region}.amazonaws.com`;
  if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) {
    return `${server.replace(/\/+$/, '')}/${bucket}/`;
  }
  throw new NightmarkError('DOWNLOAD_BAD_URL', `The S3 endpoint ${server} is no address.`, {
    hint: 'For example https://minio.example:9000.',
  });
}

function keysOf(env: Readonly<Record<string, string>>): S3Keys | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  if (!id || !secret) return undefined;
  return { id, secret, ...(token && { token }) };
}

function regionOf(env: Readonly<Record<string, string>>): string {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
}

function noListing(url: URL): NightmarkError {
  return new NightmarkError(
    'DOWNLOAD_NO_LISTING',
    `${url.origin}${url.pathname} does not answer as S3 does.`,
    {
      hint: 'Look at the endpoint: it is the address of the server, without the bucket.',
    },
  );
}
