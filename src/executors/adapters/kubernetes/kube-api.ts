import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import {
  type HttpAnswer,
  HttpFailure,
  type HttpText,
  readText,
  send,
  withRetries,
} from '../../../platform/adapters/http.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

/** An answer of the API that is not a success; status 0: there was no answer. */
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
  readonly idleMs?: number;
  /** How long a request is tried again while the server, or the way to it, is at fault. */
  readonly tryForMs?: number;
}

const IDLE_MS = 30_000;
/** A server that answered before comes back from an upgrade; one that never answered is more likely the wrong one. */
const RETRY_KNOWN_MS = 300_000;
const RETRY_UNKNOWN_MS = 5_000;
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
      givesUp: (_, elapsedMs) =>
        elapsedMs > (call.tryForMs ?? (this.#hasAnswered ? RETRY_KNOWN_MS : RETRY_UNKNOWN_MS)),
      firstPauseMs: FIRST_PAUSE_MS,
      mostPauseMs: MOST_PAUSE_MS,
      signal: call.signal,
    }).catch((error: unknown) => {
      throw this.#explain(error);
    });
    if (!isSuccess(answer)) throw refusal(answer.status, answer.text);
    return JSON.parse(answer.text);
  }

  /** The answer as a stream of bytes; throws an ApiError where it is not a success. */
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

  async #sendAs(path: string, call: Call, wasRefused: boolean): Promise<HttpAnswer> {
    const { method = 'GET', query, body, signal, idleMs = IDLE_MS } = call;
    const { server } = this.#cluster;
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const answer = await send({
      method,
      url,
      ...(body !== undefined && { headers: { 'content-type': type }, body: JSON.stringify(body) }),
      connection: await this.#cluster.options(wasRefused),
      idleMs,
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

/** Where the API is, and who we are there. */
export interface Cluster {
  readonly server: URL;
  readonly namespace: string;
  /** Certificates, headers and connections of a request; fresh ones after a refusal. */
  options(wasRefused: boolean): Promise<RequestOptions>;
}

/** Tokens may change under us (service accounts, plugins): read again after so long. */
const FRESH_MS = 30_000;

/** $KUBECONFIG, ~/.kube/config, or the account of the pod that we are in: in this order, as kubectl does. */
export async function findCluster(): Promise<Cluster> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (cause) {
    const why =
      cause instanceof TypeError ? 'it is empty, or not a configuration' : messageOf(cause).split('\n')[0];
    throw noCluster(`The configuration of Kubernetes cannot be read: ${why}`, cause);
  }
  const current = config.getCurrentContext();
  const context = config.getContextObject(current);
  if (context === null && current)
    throw noCluster(`There is no context "${current}" in the configuration of Kubernetes.`);
  const cluster = config.getCurrentCluster();
  // What the library invents where nothing is configured.
  const isInvented = cluster?.server === 'http://localhost:8080' && process.env['KUBECONFIG'] === undefined;
  if (cluster === null || isInvented) throw noCluster('No Kubernetes cluster is configured.');
  if (!URL.canParse(cluster.server)) throw noCluster(`Invalid address of a cluster: "${cluster.server}".`);
  return {
    server: new URL(cluster.server),
    namespace: process.env['JOBMONITOR_KUBERNETES_NAMESPACE'] || context?.namespace || 'default',
    options: optionsOf(config),
  };
}

function optionsOf(config: KubeConfig): Cluster['options'] {
  let known: { readonly options: Promise<RequestOptions>; readonly at: number } | undefined;
  return (wasRefused) => {
    const now = performance.now();
    if (known === undefined || wasRefused || now - known.at > FRESH_MS)
      known = { options: read(config), at: now };
    const { options } = known;
    options.catch(() => {
      known = undefined;
    });
    return options;
  };
}

async function read(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  // The library keeps a token for a minute, also one that is refused.
  const file: unknown = config.getCurrentUser()?.authProvider?.config?.tokenFile;
  if (typeof file === 'string') {
    const token = (await readFile(file, 'utf8')).trim();
    options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
  }
  // One connection for many requests: a handshake each costs more than the request.
  if (typeof options.agent === 'object') Object.assign(options.agent, { keepAlive: true });
  return options;
}

function noCluster(message: string, cause?: unknown): NightmarkError {
  return new NightmarkError('RUN_NO_CLUSTER', message, {
    hint: 'Set KUBECONFIG to a file that "kubectl get pods" works with, or run the worker in the cluster: docs/guide/clusters-kubernetes.md.',
    cause,
  });
}
