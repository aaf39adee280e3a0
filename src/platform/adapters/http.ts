import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { CancelSignal } from '../core/cancel-signal.ts';
import { messageOf } from '../core/errors.ts';
import { retryAfterMs } from '../core/retry-after.ts';
import { visible } from '../core/text/terminal-text.ts';

/**
 * The one HTTP client, free of npm packages because `nightmark/metrics` ships it. It is made of node:http, not of fetch, which
 * takes no certificates, no agent, and holds the process (docs/adr/0014-one-client-for-each-outside-thing.md).
 */
export interface HttpRequest {
  readonly url: URL;
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /** Longest silence of the connection, from its beginning to the last byte of the answer; a minute where no limit is given. */
  readonly idleMs?: number;
  /** Longest time of the whole exchange. */
  readonly totalMs?: number;
  readonly signal?: CancelSignal | undefined;
  /** Certificates to trust or to show, and the agent that connects. */
  readonly connection?: RequestOptions;
  /** False: the process may end before the answer is there. */
  readonly holdsProcess?: boolean;
}

export interface StreamedBody {
  readonly size: number;
  /** From the beginning each time: a request may be sent again. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Any answer of the server, redirects included: the caller follows them. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  /** The wait that Retry-After requests. */
  readonly retryAfterMs: number | undefined;
  header(name: string): string | undefined;
  /** Can be read once, and throws an HttpFailure. A caller that stops in the middle releases the connection. */
  readonly bytes: AsyncIterable<Buffer>;
  /** For a caller that does not read. */
  close(): void;
}

export interface HttpText extends Omit<HttpAnswer, 'bytes' | 'close'> {
  readonly text: string;
}

export type HttpProblem = 'interrupted' | 'timed-out' | 'certificate' | 'no-connection' | 'too-large';

/** No answer, or not all of it. The message has no address and no header: both may hold secrets. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly problem: HttpProblem;

  constructor(problem: HttpProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

const IDLE_MS = 60_000;

/** One request; gives the answer when its head is there. Throws an HttpFailure, or what the body that is sent threw. */
export function send(request: HttpRequest): Promise<HttpAnswer> {
  const { method = 'GET', body, totalMs, signal } = request;
  const { idleMs = totalMs === undefined ? IDLE_MS : 0 } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new HttpFailure('interrupted', 'interrupted'));
    let why: unknown;
    const explain = (error: unknown) => why ?? failureOf(error);
    const sent = begin(request, idleMs);
    // Without an error: its connection may be back among the free ones, where nobody listens for errors.
    const stop = (reason: unknown) => {
      why ??= reason;
      sent.destroy();
    };
    const interrupt = () => stop(new HttpFailure('interrupted', 'interrupted'));
    const timer =
      totalMs && setTimeout(() => stop(timedOut(`no answer within ${totalMs / 1000} seconds`)), totalMs);
    if (timer) timer.unref();
    signal?.addEventListener('abort', interrupt, { once: true });
    sent.on('timeout', () => stop(timedOut(`no byte for ${idleMs / 1000} seconds`)));
    if (request.holdsProcess === false) sent.on('socket', (socket) => socket.unref());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server gave up a free connection just as we took it: it has seen nothing of the request.
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && why === undefined;
      if (isStale && (method === 'GET' || method === 'HEAD')) resolve(send(request));
      else reject(explain(error));
    });
    sent.on('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
    });
    sent.on('response', (answer) => resolve(toAnswer(answer, sent, explain)));
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) sent.end(body);
    // A server that refuses may answer before it has read everything: then its answer counts, and not the broken pipe.
    else pipeline(Readable.from(kept(body, stop)), sent, () => undefined);
  });
}

/** A whole exchange. An answer of more bytes is cut there, or too large. */
export async function exchange(
  request: HttpRequest & { readonly maxBytes: number; readonly isCut?: boolean },
): Promise<HttpText> {
  const answer = await send(request);
  const { status, statusText, retryAfterMs, header } = answer;
  const text = await readText(answer, request.maxBytes, request.isCut);
  return { status, statusText, retryAfterMs, header, text };
}

/** The rest of an answer as text, unpacked where the server compressed it. */
export async function readText(answer: HttpAnswer, maxBytes: number, isCut = false): Promise<string> {
  const unpack = UNPACK[answer.header('content-encoding') ?? ''];
  const bytes = unpack ? pipeline(Readable.from(answer.bytes), unpack(), () => undefined) : answer.bytes;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of bytes as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw unpack && !(error instanceof HttpFailure) ? failureOf(error) : error;
  }
  if (size > maxBytes && !isCut)
    throw new HttpFailure('too-large', `the answer is larger than ${maxBytes} bytes`);
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8');
}

const UNPACK: Readonly<Record<string, typeof createGunzip | typeof createBrotliDecompress>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface Retries {
  /** Whether it may pass by itself; 0: there was no answer. */
  passes(status: number): boolean;
  givesUp(tries: number, elapsedMs: number): boolean;
  /** It doubles each time. */
  readonly firstPauseMs: number;
  readonly mostPauseMs?: number;
  readonly signal?: CancelSignal | undefined;
}

/** Repeats a request while the server, or the way to it, is at fault; waits as long as the server wants. The last outcome counts. */
export async function withRetries(ask: () => Promise<HttpText>, retries: Retries): Promise<HttpText> {
  const { passes, givesUp, firstPauseMs, mostPauseMs = Number.POSITIVE_INFINITY, signal } = retries;
  const start = performance.now();
  for (let tries = 1; ; tries++) {
    const isLast = () => signal?.aborted || givesUp(tries, performance.now() - start);
    let wanted = 0;
    try {
      const answer = await ask();
      if (!passes(answer.status) || isLast()) return answer;
      wanted = answer.retryAfterMs ?? 0;
    } catch (error) {
      const mayPass = error instanceof HttpFailure && error.problem !== 'too-large' && passes(0);
      if (!mayPass || isLast()) throw error;
    }
    // Jitter: requests that failed together must not be repeated together.
    const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), mostPauseMs) * (0.5 + Math.random() / 2);
    await pause(Math.max(pauseMs, wanted), signal);
  }
}

/** Waits; ends at once when interrupted. */
export function pause(ms: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}

/** An http or https address; undefined for anything else. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** An address as it may be shown: user, password and query may be secrets. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The text of an answer for the end of a message: cut and on one line. */
export function excerpt(text: string, most = 300): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line === '' ? '' : `: ${line.slice(0, most)}`;
}

export interface HttpSecrets {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
}

/** `scheme` is how the server wants its tokens introduced. */
export function authorization(secrets: HttpSecrets, scheme: string): Readonly<Record<string, string>> {
  const { user, password = '', token } = secrets;
  if (token !== undefined) return { authorization: `${scheme} ${token}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}

function begin(
  { url, method = 'GET', headers, body, connection }: HttpRequest,
  idleMs: number,
): ClientRequest {
  const all = { 'user-agent': 'nightmark', ...connection?.headers, ...headers, ...lengthOf(body) };
  const start = url.protocol === 'https:' ? requestSecure : requestPlain;
  try {
    return start(url, { ...connection, method, timeout: idleMs, headers: all });
  } catch (error) {
    throw failureOf(error); // a header that cannot be sent
  }
}

function lengthOf(body: HttpRequest['body']): Readonly<Record<string, number>> {
  if (body === undefined) return {};
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  return { 'content-length': isWhole ? Buffer.byteLength(body) : body.size };
}

/** A piece is good until the next one only, and a socket keeps what it is given. */
async function* kept(body: StreamedBody, stop: (reason: unknown) => void): AsyncGenerator<Buffer> {
  try {
    for await (const piece of body.bytes()) yield Buffer.from(piece);
  } catch (error) {
    stop(error);
    throw error;
  }
}

function toAnswer(
  answer: IncomingMessage,
  sent: ClientRequest,
  explain: (error: unknown) => unknown,
): HttpAnswer {
  answer.on('error', () => {}); // The reader gets the error; without one it must not crash the process.
  const header = (name: string) => answer.headers[name]?.toString();
  return {
    status: answer.statusCode ?? 0,
    statusText: answer.statusMessage ?? '',
    retryAfterMs: retryAfterMs(header('retry-after'), Date.now()),
    header,
    bytes: bytesOf(answer, sent, explain),
    close: () => void answer.destroy(),
  };
}

async function* bytesOf(
  answer: IncomingMessage,
  sent: ClientRequest,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) yield piece;
  } catch (error) {
    throw explain(error);
  } finally {
    if (!sent.writableFinished) sent.destroy();
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_(?:GET|VERIFY)/;

function failureOf(cause: unknown): HttpFailure {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  const problem = CERTIFICATE.test(code) ? 'certificate' : 'no-connection';
  return new HttpFailure(problem, messageOf(cause) || code || 'no answer', cause);
}

function timedOut(message: string): HttpFailure {
  return new HttpFailure('timed-out', message);
}
