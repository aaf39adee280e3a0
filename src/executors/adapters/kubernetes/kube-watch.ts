import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../platform/core/errors.ts';
import type { KubeObject } from '../../core/kubernetes/pod-state.ts';
import { ApiError, type KubeApi } from './kube-api.ts';

export interface WatchEvents<T> {
  onObject(object: T): void;
  onGone(object: T): void;
  /** The watch goes on; people may want to know why nothing comes. */
  onProblem(message: string): void;
}

/** The server ends a watch after so long; silence beyond it is a dead connection. */
const WATCH_SECONDS = 240;
const MOST_BACK_OFF_MS = 30_000;
/** Single failures are normal: they are reported from this one in a row on. */
const REPORT_AFTER = 3;

/**
 * Follows all objects behind a path: lists them, then watches from there on. A broken watch goes on from the last
 * version seen; where the server has forgotten that (410), the list is read again and what vanished meanwhile is reported.
 */
export class Watch<T extends KubeObject> {
  readonly #api: KubeApi;
  readonly #path: string;
  readonly #selector: string;
  readonly #events: WatchEvents<T>;
  readonly #stopped = new AbortController();
  readonly #known = new Map<string, T>();
  #version: string | undefined;

  constructor(api: KubeApi, { path, selector }: { path: string; selector: string }, events: WatchEvents<T>) {
    this.#api = api;
    this.#path = path;
    this.#selector = selector;
    this.#events = events;
    void this.#run();
  }

  get objects(): Iterable<T> {
    return this.#known.values();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (this.#version === undefined) await this.#list();
        await this.#follow();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 410) {
          this.#version = undefined;
          continue;
        }
        failures++;
        if (failures >= REPORT_AFTER) this.#events.onProblem(error.message);
        const pauseMs = Math.min(250 * 2 ** failures, MOST_BACK_OFF_MS) * (0.5 + Math.random() / 2);
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #list(): Promise<void> {
    const found = new Map<string, T>();
    let version: string | undefined;
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query = { labelSelector: this.#selector, limit: '500', ...(next !== '' && { continue: next }) };
      const list = (await this.#api.call(this.#path, {
        query,
        signal: this.#stopped.signal,
        tryForMs: 0,
      })) as List<T>;
      for (const item of list.items ?? []) found.set(idOf(item), item);
      version = list.metadata?.resourceVersion;
      next = list.metadata?.continue || undefined;
    }
    const gone = [...this.#known].filter(([id]) => !found.has(id));
    this.#version = version;
    for (const [, object] of gone) this.#remove(object);
    for (const object of found.values()) this.#add(object);
  }

  async #follow(): Promise<void> {
    const query = {
      labelSelector: this.#selector,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
      resourceVersion: this.#version ?? '',
    };
    const idleMs = (WATCH_SECONDS + 15) * 1000;
    const stream = await this.#api.open(this.#path, { query, idleMs, signal: this.#stopped.signal });
    for await (const line of linesOf(stream)) this.#take(line);
  }

  #take(line: string): void {
    const { type, object } = parse<T>(line);
    if (type === 'ERROR') {
      const { code = 0, message = 'the watch failed' } = object as { code?: number; message?: string };
      throw new ApiError(code, message);
    }
    this.#version = object.metadata?.resourceVersion ?? this.#version;
    if (type === 'DELETED') this.#remove(object);
    else if (type !== 'BOOKMARK') this.#add(object);
  }

  #add(object: T): void {
    this.#known.set(idOf(object), object);
    this.#events.onObject(object);
  }

  #remove(object: T): void {
    this.#known.delete(idOf(object));
    this.#events.onGone(object);
  }
}

interface List<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[];
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter((line) => line !== '');
    }
  } catch (error) {
    throw new ApiError(0, `the watch broke off: ${messageOf(error)}`);
  }
}

function parse<T>(line: string): { readonly type: string; readonly object: T } {
  try {
    return JSON.parse(line) as { readonly type: string; readonly object: T };
  } catch {
    throw new ApiError(0, 'the watch broke off within an event');
  }
}

function idOf({ metadata }: KubeObject): string {
  return metadata?.uid ?? metadata?.name ?? '';
}
