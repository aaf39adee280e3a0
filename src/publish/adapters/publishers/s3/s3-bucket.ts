import { exchange, HttpFailure, type HttpText, withRetries } from '../../../../platform/adapters/http.ts';
import {
  bucketAddress,
  LARGEST_PAGE,
  listPages,
  objectUrl,
  readPrefix,
  type S3Keys,
  type S3Request,
  s3Settings,
  signedHeaders,
} from '../../../../platform/adapters/s3.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { mediaType } from '../../../../platform/core/site/site-media.ts';
import type { PutFile } from '../../../core/site/publisher.ts';
import { isNamedByContent } from '../../../core/site/site-map.ts';
import { interrupted, withoutSecrets } from '../run-program.ts';

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
  const address = (path: string) => objectUrl(place.address, `${place.prefix}${path}`);
  const put = (file: PutFile, more: Readonly<Record<string, string>> = {}) => {
    const headers = { 'content-type': mediaType(file.path), 'cache-control': caching(file.path), ...more };
    return send({ method: 'PUT', url: address(file.path), headers, body: file }, place, signal);
  };
  const putAlways = async (file: PutFile) => {
    const answer = await put(file);
    if (answer.status !== 200) throw refused(place, `take ${file.path}`, answer);
  };
  return {
    async get(path) {
      const answer = await send({ method: 'GET', url: address(path) }, place, signal);
      if (answer.text.includes('<Code>NoSuchBucket</Code>') && answer.status === 404)
        throw refused(place, 'be found', answer);
      if (answer.status === 404) return undefined;
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
      const answer = await send({ method: 'DELETE', url: address(path) }, place, signal);
      if (![200, 204, 404].includes(answer.status)) throw refused(place, `remove ${path}`, answer);
    },
    list: () => listNames(place, signal),
  };
}

async function* listNames(place: S3Place, signal: CancelSignal): AsyncGenerator<string> {
  const { address, prefix } = place;
  const get = async (url: URL) => {
    const answer = await send({ method: 'GET', url }, place, signal);
    if (answer.status !== 200) throw refused(place, 'list', answer);
    return answer.text;
  };
  const refuse = () => failed(`${place.shown} does not list its files as S3 does.`);
  for await (const { files } of listPages({ address, prefix, get, refuse }))
    for (const { name } of files) yield name;
}

/** A file named after its content never changes; all others are revalidated. */
function caching(path: string): string {
  return isNamedByContent(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

const TRIES = 4;
const FIRST_PAUSE_MS = 200;

/** One request, again where another try may go better. Any other response is returned to the caller. */
async function send(
  { body, ...request }: S3Request & { readonly body?: PutFile },
  place: S3Place,
  signal: CancelSignal,
): Promise<HttpText> {
  const attempt = async () => {
    const signed = await signedHeaders({ ...request, ...(body && { sha256: body.sha256 }) }, place);
    const headers = { headers: signed, ...(body && { body }) };
    return exchange({ ...request, ...headers, signal, maxBytes: LARGEST_PAGE });
  };
  try {
    return await withRetries(attempt, {
      passes: (status) => status === 0 || status === 429 || (status >= 500 && status !== 501),
      givesUp: (tries) => tries === TRIES,
      firstPauseMs: FIRST_PAUSE_MS,
      signal,
    });
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw error.problem === 'interrupted' ? interrupted() : unreachable(place, error);
  }
}

function refused(place: S3Place, what: string, { status, text }: HttpText): NightmarkError {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
  return failed(`${place.shown} refuses to ${what} (${status}${code === undefined ? '' : ` ${code}`}).`);
}

function failed(message: string): NightmarkError {
  return new NightmarkError('PUBLISH_FAILED', message, {
    hint: 'The earlier site is still in place. Check the bucket, the keys (AWS_ACCESS_KEY_ID ...) and what they may do.',
  });
}

function unreachable(place: S3Place, cause: HttpFailure): NightmarkError {
  return new NightmarkError('PUBLISH_UNREACHABLE', `${place.shown} cannot be reached: ${cause.message}`, {
    hint: 'The earlier site is still in place. Check the address, and whether the server runs.',
    cause,
  });
}

/** Where the site goes: the address of a bucket, and what stands before each key. */
export interface S3Place {
  /** Of the bucket; ends with "/". */
  readonly address: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
  readonly region: string;
  readonly keys: S3Keys;
  readonly shown: string;
}

/** BUCKET/PATH, //BUCKET/PATH, or https://ENDPOINT/BUCKET/PATH. */
export function readTarget(target: string, env: Readonly<Record<string, string>>): S3Place {
  const withServer = /^(https?:\/\/[^/]+)\/(.*)$/s.exec(target);
  const place = readPrefix(withServer?.[2] ?? target.replace(/^(?:s3:)?\/\//, ''));
  if (place === undefined || /(?:^|\/)\.{0,2}\//.test(place.prefix)) throw badTarget(target);
  const { keys, region, endpoint } = s3Settings(env);
  if (keys === undefined) throw noKeys(target);
  const server = withServer?.[1] ?? endpoint;
  const address = bucketAddress(place.bucket, { keys, region, endpoint: server });
  if (address === undefined) throw badTarget(server ?? target);
  return { address, prefix: place.prefix, region, keys, shown: `s3:${withoutSecrets(target)}` };
}

function badTarget(target: string): NightmarkError {
  return new NightmarkError('PUBLISH_BAD_TARGET', `s3:${withoutSecrets(target)} names no bucket.`, {
    hint: 'For example s3://bucket/path, or s3:https://minio.example:9000/bucket/path.',
  });
}

function noKeys(target: string): NightmarkError {
  return new NightmarkError(
    'PUBLISH_NO_CREDENTIALS',
    `There are no keys to write to s3:${withoutSecrets(target)}.`,
    {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one.',
    },
  );
}
