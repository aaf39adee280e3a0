import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, NightmarkError } from '../../../core/errors.ts';
import { type SigningHashes, signedHeaders } from '../../../core/s3/sign.ts';
import type { CancelSignal } from '../../../core/signal.ts';
import type { S3Place } from './target.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly sha256: string; readonly size: number; bytes(): AsyncIterable<Uint8Array> };
}

export interface S3Answer {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
const SILENCE_MS = 60_000;
const LARGEST_ANSWER = 16 * 1024 * 1024;

/** One request, again where another try may go better. Any other answer is given to the caller. */
export async function askS3(request: S3Request, place: S3Place, signal: CancelSignal): Promise<S3Answer> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw interrupted();
    try {
      const answer = await askOnce(request, place, signal);
      if (answer.status < 500 && answer.status !== 429) return answer;
      if (attempt === TRIES || answer.status === 501) return answer;
    } catch (error) {
      if (error instanceof NightmarkError) throw error;
      if (signal.aborted) throw interrupted();
      if (attempt === TRIES) throw unreachable(place, error);
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
  }
}

async function askOnce(request: S3Request, place: S3Place, signal: CancelSignal): Promise<S3Answer> {
  const { method, url, headers = {}, body } = request;
  const signed = signedHeaders(
    { method, url, headers, ...(body && { bodyHash: body.sha256 }) },
    { keys: place.keys, region: place.region, at: new Date(), hashes: HASHES },
  );
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  const length = method === 'PUT' ? { 'content-length': String(body?.size ?? 0) } : {};
  const sent = send(url, { method, headers: { ...signed, ...length }, timeout: SILENCE_MS });
  const stop = () => sent.destroy(new Error('interrupted'));
  signal.addEventListener('abort', stop, { once: true });
  sent.on('timeout', () => sent.destroy(new Error(`no byte for ${SILENCE_MS / 1000} seconds`)));
  try {
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve);
      sent.on('error', reject);
    });
    answered.catch(() => undefined);
    if (body) await sendBody(body.bytes(), sent, answered);
    else sent.end();
    return await readAnswer(await answered);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const HASHES: SigningHashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
};

/** A server that refuses answers before it has read everything: its answer counts, and not the broken pipe. */
async function sendBody(
  bytes: AsyncIterable<Uint8Array>,
  sent: NodeJS.WritableStream,
  answered: Promise<unknown>,
) {
  // A piece is good until the next one only, and a socket keeps what it is given.
  const kept = async function* () {
    for await (const piece of bytes) yield Buffer.from(piece);
  };
  try {
    await pipeline(Readable.from(kept()), sent);
  } catch (error) {
    if (error instanceof NightmarkError) throw error;
    await Promise.race([answered, Promise.reject(error)]);
  }
}

async function readAnswer(answer: IncomingMessage): Promise<S3Answer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > LARGEST_ANSWER) throw new Error(`the answer is larger than ${LARGEST_ANSWER} bytes`);
    pieces.push(piece);
  }
  return {
    status: answer.statusCode ?? 0,
    text: Buffer.concat(pieces).toString(),
    etag: answer.headers.etag,
  };
}

export function refused(place: S3Place, what: string, { status, text }: S3Answer): NightmarkError {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
  return new NightmarkError(
    'PUBLISH_FAILED',
    `${place.shown} refuses to ${what} (${status}${code === undefined ? '' : ` ${code}`}).`,
    {
      hint: 'The earlier site is still in place. Look at the bucket, the keys (AWS_ACCESS_KEY_ID ...) and what they may do.',
    },
  );
}

function unreachable(place: S3Place, cause: unknown): NightmarkError {
  return new NightmarkError('PUBLISH_UNREACHABLE', `${place.shown} cannot be reached: ${messageOf(cause)}`, {
    hint: 'The earlier site is still in place. Look at the address, and whether the server runs.',
    cause,
  });
}

function interrupted(): NightmarkError {
  return new NightmarkError('PUBLISH_INTERRUPTED', 'The publication was interrupted.', {
    hint: 'The earlier site is still in place. Publish again.',
  });
}
