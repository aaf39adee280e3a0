import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { NightmarkError } from '../../core/errors.ts';
import type { CancelSignal } from '../../core/signal.ts';
import { retryAfterMs } from '../../core/text/retry-after.ts';
import { failureOf, interrupted, refusedCredentials } from './http-failures.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly body?: string;
  readonly type?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Who asks, and how far the server is trusted. */
export interface HttpAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust instead of those of Node, as PEM. */
  readonly ca?: string;
  readonly isInsecure: boolean;
  /** First pause before a request is tried again; it doubles each time. */
  readonly pauseMs: number;
}

const TRIES = 5;
/** Without a byte; large answers may take longer in all. */
const SILENCE_MS = 60_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Asks a server, again while it is busy. Every answer is handed over but a refusal of our credentials. Node's fetch cannot be
 * told of a certificate, so this goes one layer below.
 */
export async function ask(
  request: HttpRequest,
  access: HttpAccess,
  signal: CancelSignal,
): Promise<HttpAnswer> {
  for (let tried = 1; ; tried++) {
    const { status, text, retryAfter } = await once(request, access, signal);
    if (status === 401 || status === 403) throw refusedCredentials(request.url, status, text);
    if (!BUSY.has(status) || tried === TRIES) return { status, text };
    await pause(Math.max(retryAfter ?? 0, access.pauseMs * 2 ** (tried - 1)), request.url, signal);
  }
}

/** Waits; ends at once when interrupted. */
export async function pause(ms: number, url: URL, signal: CancelSignal): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await sleep(ms, undefined, { signal: controller.signal }).catch(() => {});
    if (signal.aborted) throw interrupted(url);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

type Once = HttpAnswer & { readonly retryAfter?: number };

function once(
  { method, url, body, type }: HttpRequest,
  access: HttpAccess,
  signal: CancelSignal,
): Promise<Once> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(interrupted(url));
    const options: RequestOptions = {
      method,
      timeout: SILENCE_MS,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': type ?? 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...access.headers,
      },
    };
    const trust = {
      rejectUnauthorized: !access.isInsecure,
      ...(access.ca !== undefined && { ca: access.ca }),
    };
    const take = (answer: IncomingMessage) => void readAnswer(answer, url).then(resolve, reject);
    const sent =
      url.protocol === 'https:'
        ? requestSecure(url, { ...options, ...trust }, take)
        : requestPlain(url, options, take);
    const stop = () => sent.destroy(interrupted(url));
    signal.addEventListener('abort', stop, { once: true });
    sent.on('timeout', () => sent.destroy(new Error(`no byte for ${SILENCE_MS / 1000} seconds`)));
    sent.on('error', (error) => reject(failureOf(error, url)));
    sent.on('close', () => signal.removeEventListener('abort', stop));
    sent.end(body);
  });
}

async function readAnswer(answer: IncomingMessage, url: URL): Promise<Once> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof NightmarkError ? error : failureOf(error, url);
  }
  const retryAfter = retryAfterMs(answer.headers['retry-after'], Date.now());
  return {
    status: answer.statusCode ?? 0,
    text: Buffer.concat(pieces).toString('utf8'),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
