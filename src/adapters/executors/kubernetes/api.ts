import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../core/text/json.ts';
import type { Cluster } from './cluster.ts';

/** An answer of the API that is none of success; status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly signal?: AbortSignal;
  /** Silence after which the connection counts as dead. */
  readonly patienceMs?: number;
  /** How long a request is tried again while the server, or the way to it, is at fault. */
  readonly tryForMs?: number;
}

const PATIENCE_MS = 30_000;
/** A server that answered before comes back from an upgrade; one that never did is more likely the wrong one. */
const KNOWN_MS = 300_000;
const UNKNOWN_MS = 5_000;
const MOST_PAUSE_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Requests to one API server. The library knows the credentials; streams that must be resumed are ours. */
export class KubeApi {
  readonly #cluster: Cluster;
  #hasAnswered = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** The answer as JSON; tries again where the server or the way to it is at fault. */
  async call(path: string, call: Call = {}): Promise<unknown> {
    const start = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.open(path, call);
        return JSON.parse(await textOf(answer));
      } catch (error) {
        const { tryForMs = this.#hasAnswered ? KNOWN_MS : UNKNOWN_MS, signal } = call;
        if (!isPassing(error) || performance.now() - start > tryForMs || signal?.aborted) throw error;
        const pauseMs = Math.min(100 * 2 ** tries, MOST_PAUSE_MS) * (0.5 + Math.random() / 2);
        await sleep(pauseMs, undefined, signal && { signal }).catch(() => {});
      }
    }
  }

  /** The answer as a stream of bytes; throws an ApiError where it is no success. */
  async open(path: string, call: Call): Promise<IncomingMessage> {
    const answer = await this.#send(path, call, false);
    if (answer.statusCode !== 401) return checked(answer);
    answer.resume();
    return checked(await this.#send(path, call, true));
  }

  async #send(path: string, call: Call, isRefused: boolean): Promise<IncomingMessage> {
    const { method = 'GET', query, body, signal, patienceMs = PATIENCE_MS } = call;
    const { headers, ...options } = await this.#cluster.options(isRefused);
    const { server } = this.#cluster;
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        ...options,
        method,
        headers: {
          ...(headers as Record<string, string> | undefined),
          ...(payload !== undefined && {
            'content-type': type,
            'content-length': Buffer.byteLength(payload),
          }),
        },
      });
      // Without an error: its connection may be back among the free ones, where nobody listens for errors.
      const stop = () => request.destroy();
      signal?.addEventListener('abort', stop);
      request.on('close', () => signal?.removeEventListener('abort', stop));
      if (signal?.aborted) stop();
      request.setTimeout(patienceMs, () => request.destroy(new Error(`silent for ${patienceMs / 1000} s`)));
      request.on('error', (error) =>
        reject(new ApiError(0, `${server.host} cannot be reached: ${error.message}`)),
      );
      request.on('response', (answer) => {
        answer.on('error', () => {}); // Who reads it hears of it; nobody may be reading when we stop.
        this.#hasAnswered = true;
        resolve(answer);
      });
      request.end(payload);
    });
  }
}

async function checked(answer: IncomingMessage): Promise<IncomingMessage> {
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  const text = await textOf(answer);
  throw new ApiError(statusCode, messageIn(text) ?? `the API answered ${statusCode}`);
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return text.trim().slice(0, 500) || undefined;
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MOST_BYTES) throw new ApiError(413, 'the answer of the API is too large');
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, `the answer of the API broke off: ${(error as Error).message}`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** No answer, too many requests, or a server in trouble. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
