import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { unescapeMarkup } from '../core/text/html.ts';
import { httpUrl } from './http.ts';

export interface S3Keys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

/** What the environment says about S3, by the names that the tools of Amazon use. */
export interface S3Settings {
  readonly region: string;
  /** Undefined: requests are anonymous. */
  readonly keys: S3Keys | undefined;
  /** Of a server that is not Amazon's. */
  readonly endpoint: string | undefined;
}

export function s3Settings(env: Readonly<Record<string, string>>): S3Settings {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  return {
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    keys: id && secret ? { id, secret, ...(token && { token }) } : undefined,
    endpoint: env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'],
  };
}

/** What stands before each key, in a bucket. */
export interface S3Prefix {
  readonly bucket: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
}

/** BUCKET or BUCKET/PATH. */
export function readPrefix(text: string): S3Prefix | undefined {
  const [, bucket, path = ''] = /^([a-z\d][a-z\d._-]{1,62})(?:\/(.*))?$/is.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  return { bucket, prefix: path === '' || path.endsWith('/') ? path : `${path}/` };
}

/**
 * The address of a bucket, with "/" at its end; undefined when the endpoint is invalid. Amazon has a host for each bucket; other
 * servers, and names that no certificate covers, have the bucket in the path.
 */
export function bucketAddress(bucket: string, { endpoint, region }: S3Settings): string | undefined {
  if (endpoint === undefined && !bucket.includes('.')) return `https://${bucket}.s3.${region}.amazonaws.com/`;
  const server = endpoint ?? `https://s3.${region}.amazonaws.com`;
  return httpUrl(server) && `${server.replace(/\/+$/, '')}/${bucket}/`;
}

export function objectUrl(bucketAddress: string, key: string): URL {
  return new URL(bucketAddress + key.split('/').map(s3Escape).join('/'));
}

/** As S3 wants names: everything but letters, digits and -._~ as bytes in percent. */
export function s3Escape(text: string): string {
  const more = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, more);
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Made with `s3Escape`: what is sent is what is signed. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body; absent: there is none. */
  readonly sha256?: string;
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex');

/** The headers with a signature over all of them; as they are where there are no keys. */
export async function signedHeaders(
  { method, url, headers = {}, sha256 = SHA256_OF_NOTHING }: S3Request,
  { keys, region }: Pick<S3Settings, 'keys' | 'region'>,
  at = new Date(),
): Promise<Readonly<Record<string, string>>> {
  if (keys === undefined) return headers;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    ...(keys.token !== undefined && { sessionToken: keys.token }),
    service: 's3',
    region,
    datetime: at.toISOString().replace(/[-:]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  return Object.fromEntries((await signer.sign()).headers);
}

export interface S3Page {
  /** Of what lies below a "/" behind the prefix, where a delimiter was given. */
  readonly folders: readonly string[];
  readonly files: readonly S3File[];
}

/** Names are what stands behind the prefix. */
export interface S3File {
  readonly name: string;
  readonly size: number | undefined;
}

export interface S3Listing {
  /** Of the bucket, with "/" at its end. */
  readonly address: string;
  readonly prefix: string;
  /** Lists one folder instead of everything below. */
  readonly delimiter?: '/';
  get(url: URL): Promise<string>;
  /** The error for an answer that is not a listing, or a listing without end. */
  refuse(url: URL, why: 'no-listing' | 'too-long'): Error;
}

/** A page has a thousand keys of at most a thousand bytes, three for each where they are escaped. */
export const LARGEST_PAGE = 16 * 1024 * 1024;
/** A server that never ends would otherwise be listened to for ever. */
const MOST_PAGES = 10_000;

/** ListObjectsV2, page by page. */
export async function* listPages(listing: S3Listing): AsyncGenerator<S3Page> {
  const { address, prefix, delimiter, get, refuse } = listing;
  let next: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const parameters = {
      'list-type': '2',
      ...(delimiter && { delimiter }),
      'encoding-type': 'url',
      prefix,
      ...(next !== undefined && { 'continuation-token': next }),
    };
    const query = Object.entries(parameters).map(([key, value]) => `${key}=${s3Escape(value)}`);
    const url = new URL(`${address}?${query.join('&')}`);
    const xml = await get(url);
    if (!/<ListBucketResult[\s>]/.test(xml)) throw refuse(url, 'no-listing');
    yield readPage(xml, prefix);
    const following = fieldOf(xml, 'NextContinuationToken');
    const isLast = following === undefined || fieldOf(xml, 'IsTruncated') === 'false';
    if (isLast || following === next) return;
    next = following;
  }
  throw refuse(new URL(address), 'too-long');
}

function readPage(xml: string, prefix: string): S3Page {
  const isEncoded = fieldOf(xml, 'EncodingType') === 'url';
  const nameIn = (part: string, tag: string) => {
    const text = fieldOf(part, tag) ?? '';
    return (isEncoded ? decoded(text) : text).slice(prefix.length);
  };
  return {
    folders: partsOf(xml, 'CommonPrefixes').map((part) => nameIn(part, 'Prefix').replace(/\/$/, '')),
    files: partsOf(xml, 'Contents')
      .map((part) => ({ name: nameIn(part, 'Key'), size: sizeOf(fieldOf(part, 'Size')) }))
      // A key that ends with the folder is the mark of the folder itself.
      .filter(({ name }) => name !== ''),
  };
}

function partsOf(xml: string, tag: string): readonly string[] {
  return xml
    .split(`<${tag}>`)
    .slice(1)
    .map((part) => part.slice(0, part.indexOf(`</${tag}>`)));
}

function fieldOf(xml: string, tag: string): string | undefined {
  const start = xml.indexOf(`<${tag}>`);
  const end = xml.indexOf(`</${tag}>`, start);
  return start < 0 || end < 0 ? undefined : unescapeMarkup(xml.slice(start + tag.length + 2, end));
}

function sizeOf(text: string | undefined): number | undefined {
  const size = Number(text);
  return Number.isSafeInteger(size) ? size : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // not encoded, whatever the server says
  }
}
