import type { PutFile } from '../../../core/ports/publisher.ts';
import { s3Escape } from '../../../core/s3/sign.ts';
import type { CancelSignal } from '../../../core/signal.ts';
import { mediaType } from '../../../core/site/media-type.ts';
import { tellsContent } from '../../../core/site/site-map.ts';
import type { HttpText } from '../../../platform/http.ts';
import { askS3, refused } from './request.ts';
import type { S3Place } from './target.ts';

/** Files below a prefix of a bucket. */
export interface Bucket {
  /** Undefined when there is none. */
  get(path: string): Promise<HttpText | undefined>;
  put(file: PutFile): Promise<void>;
  /** Only when the condition holds: false when it does not. Servers that know no conditions write. */
  putIf(file: PutFile, condition: Condition): Promise<boolean>;
  remove(path: string): Promise<void>;
  list(): AsyncIterable<string>;
}

/** The tag of what is replaced; undefined: there must be nothing. */
export interface Condition {
  readonly etag: string | undefined;
}

export function openBucket(place: S3Place, signal: CancelSignal): Bucket {
  const address = (path: string) =>
    new URL(place.bucket + `${place.prefix}${path}`.split('/').map(s3Escape).join('/'));
  const put = (file: PutFile, more: Readonly<Record<string, string>> = {}) => {
    const headers = { 'content-type': mediaType(file.path), 'cache-control': caching(file.path), ...more };
    return askS3({ method: 'PUT', url: address(file.path), headers, body: file }, place, signal);
  };
  const putAlways = async (file: PutFile) => {
    const answer = await put(file);
    if (answer.status !== 200) throw refused(place, `take ${file.path}`, answer);
  };
  return {
    async get(path) {
      const answer = await askS3({ method: 'GET', url: address(path) }, place, signal);
      if (answer.status === 404) return missing(answer, place);
      if (answer.status !== 200) throw refused(place, `give ${path}`, answer);
      return answer;
    },
    put: putAlways,
    async putIf(file, { etag }) {
      const answer = await put(file, etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag });
      if (answer.status === 412 || answer.status === 409) return false;
      if (answer.status === 501) await putAlways(file);
      else if (answer.status !== 200) throw refused(place, `take ${file.path}`, answer);
      return true;
    },
    async remove(path) {
      const answer = await askS3({ method: 'DELETE', url: address(path) }, place, signal);
      if (![200, 204, 404].includes(answer.status)) throw refused(place, `remove ${path}`, answer);
    },
    list: () => listKeys(place, signal),
  };
}

function missing(answer: HttpText, place: S3Place): undefined {
  if (answer.text.includes('<Code>NoSuchBucket</Code>')) throw refused(place, 'be found', answer);
  return undefined;
}

/** What tells its content never changes; everything else is asked for again. */
function caching(path: string): string {
  return tellsContent(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, ten, hex, named) => {
    if (named !== undefined) return NAMED[String(named)] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** A server that never ends would otherwise be listened to for ever. */
const MOST_PAGES = 10_000;

async function* listKeys(place: S3Place, signal: CancelSignal): AsyncIterable<string> {
  let next: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const words = { 'list-type': '2', 'encoding-type': 'url', prefix: place.prefix };
    const all = next === undefined ? words : { ...words, 'continuation-token': next };
    const query = Object.entries(all).map(([key, value]) => `${key}=${s3Escape(value)}`);
    const answer = await askS3(
      { method: 'GET', url: new URL(`${place.bucket}?${query.join('&')}`) },
      place,
      signal,
    );
    if (answer.status !== 200) throw refused(place, 'list', answer);
    const isEncoded = answer.text.includes('<EncodingType>url</EncodingType>');
    for (const [, key = ''] of answer.text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
      const name = isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : unescapeXml(key);
      const path = name.slice(place.prefix.length);
      if (path !== '') yield path;
    }
    const [, token] = /<NextContinuationToken>([^<]*)</.exec(answer.text) ?? [];
    if (token === undefined || token === next) return;
    next = token;
  }
}
