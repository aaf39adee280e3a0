import {
  type HttpAnswer,
  HttpFailure,
  type HttpText,
  readText,
  send,
  withRetries,
} from '../../../platform/adapters/http.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
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
const FIRST_PAUSE_MS = 200;
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
    const ask = async (): Promise<HttpText> => {
      const answer = await this.#send(path, call);
      return { ...answer, text: await readText(answer, MOST_BYTES) };
    };
    const answer = await withRetries(ask, {
      passes: (status) => status === 0 || status === 429 || status >= 500,
      givesUp: (_, elapsedMs) => elapsedMs > (call.tryForMs ?? (this.#hasAnswered ? KNOWN_MS : UNKNOWN_MS)),
      firstPauseMs: FIRST_PAUSE_MS,
      mostPauseMs: MOST_PAUSE_MS,
      signal: call.signal,
    }).catch((error: unknown) => {
      throw this.#explain(error);
    });
    if (!isSuccess(answer)) throw refusal(answer.status, answer.text);
    return JSON.parse(answer.text);
  }

  /** The answer as a stream of bytes; throws an ApiError where it is no success. */
  async open(path: string, call: Call): Promise<AsyncIterable<Buffer>> {
    try {
      const answer = await this.#send(path, call);
      if (isSuccess(answer)) return answer.bytes;
      throw refusal(answer.status, await readText(answer, MOST_BYTES));
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async #send(path: string, call: Call): Promise<HttpAnswer> {
    const answer = await this.#sendAs(path, call, false);
    if (answer.status !== 401) return answer;
    answer.close();
    return this.#sendAs(path, call, true);
  }

  async #sendAs(path: string, call: Call, isRefused: boolean): Promise<HttpAnswer> {
    const { method = 'GET', query, body, signal, patienceMs = PATIENCE_MS } = call;
    const { server } = this.#cluster;
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const answer = await send({
      method,
      url,
      ...(body !== undefined && { headers: { 'content-type': type }, body: JSON.stringify(body) }),
      connection: await this.#cluster.options(isRefused),
      idleMs: patienceMs,
      signal,
    });
    this.#hasAnswered = true;
    return answer;
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof HttpFailure)) return error;
    const { message, problem } = error;
    if (problem === 'too-large') return new ApiError(413, `the API: ${message}`);
    return new ApiError(0, `${this.#cluster.server.host} cannot be reached: ${message}`);
  }
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

function refusal(status: number, text: string): ApiError {
  return new ApiError(status, messageIn(text) ?? `the API answered ${status}`);
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return text.trim().slice(0, 500) || undefined;
  }
}
