import { unescapeMarkup } from '../../core/text/html.ts';
import { s3Escape } from './bucket.ts';

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
  /** The error for an answer that is no listing, or a listing without end. */
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
    const words = {
      'list-type': '2',
      ...(delimiter && { delimiter }),
      'encoding-type': 'url',
      prefix,
      ...(next !== undefined && { 'continuation-token': next }),
    };
    const query = Object.entries(words).map(([key, value]) => `${key}=${s3Escape(value)}`);
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
