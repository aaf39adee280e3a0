import { createHash, createHmac } from 'node:crypto';
import { NightmarkError } from '../../../core/errors.ts';
import { type SigningHashes, signedHeaders } from '../../../core/s3/sign.ts';
import type { CancelSignal } from '../../../core/signal.ts';
import { exchange, HttpFailure, type HttpText, withRetries } from '../../../platform/http.ts';
import type { S3Place } from './target.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly sha256: string; readonly size: number; bytes(): AsyncIterable<Uint8Array> };
}

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** One request, again where another try may go better. Any other answer is given to the caller. */
export async function askS3(request: S3Request, place: S3Place, signal: CancelSignal): Promise<HttpText> {
  const { method, url, headers = {}, body } = request;
  const ask = () =>
    exchange({
      method,
      url,
      headers: signedHeaders(
        { method, url, headers, ...(body && { bodyHash: body.sha256 }) },
        { keys: place.keys, region: place.region, at: new Date(), hashes: HASHES },
      ),
      ...(body && { body }),
      signal,
      maxBytes: MAX_ANSWER_BYTES,
    });
  try {
    return await withRetries(ask, {
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

const HASHES: SigningHashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
};
export function refused(place: S3Place, what: string, { status, text }: HttpText): NightmarkError {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
  return new NightmarkError(
    'PUBLISH_FAILED',
    `${place.shown} refuses to ${what} (${status}${code === undefined ? '' : ` ${code}`}).`,
    {
      hint: 'The earlier site is still in place. Look at the bucket, the keys (AWS_ACCESS_KEY_ID ...) and what they may do.',
    },
  );
}

function unreachable(place: S3Place, cause: HttpFailure): NightmarkError {
  return new NightmarkError('PUBLISH_UNREACHABLE', `${place.shown} cannot be reached: ${cause.message}`, {
    hint: 'The earlier site is still in place. Look at the address, and whether the server runs.',
    cause,
  });
}

function interrupted(): NightmarkError {
  return new NightmarkError('PUBLISH_INTERRUPTED', 'The publication was interrupted.', {
    hint: 'The earlier site is still in place. Publish again.',
  });
}
