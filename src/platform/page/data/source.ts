/** Where the documents of the pages come from: a server, or the files of a static site. */
export interface Source {
  /** False: the documents were written once and do not change; nothing can be queried, set or followed. */
  readonly isLive: boolean;
  /** The document at an address below /api: "experiments/sort?from=50". */
  json(path: string, signal: AbortSignal): Promise<unknown>;
  /** Columns of numbers as bytes; undefined where the source has none. */
  bytes(path: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Where a file of a static site lies; undefined where it was not published. A server has none. */
  place?(path: string): Promise<string | undefined>;
  /** Sends a request that changes something. */
  change(path: string, request: ChangeRequest): Promise<unknown>;
}

export interface ChangeRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
}

/** Why there is no document, for the reader. */
export class SourceProblem extends Error {
  readonly status: number;
  readonly hint: string;
  constructor(message: string, { status = 0, hint = '' } = {}) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

let source: Source | undefined;

export function setSource(chosen: Source): void {
  source = chosen;
}

export function theSource(): Source {
  if (source === undefined) throw new Error('The page was started without a source of its documents.');
  return source;
}

/** A document of the API by its address, with the type of what it holds. */
export interface DocumentRef<T> {
  /** Below /api, with its parameters: "runs?limit=50". */
  readonly path: string;
  /** The topic whose updates mean that it may have changed; absent: it never does while it is shown. */
  readonly topic?: Topic;
  /** Never there: carries the type. */
  readonly holds?: T;
}

/** Updates come by topic: see src/server/live. */
export type Topic = 'runs' | 'changes' | 'jobs' | 'points';

/** Parts are encoded; undefined parameters are left out, lists are given several times. */
export function documentRef<T>(
  parts: readonly string[],
  {
    query = {},
    topic,
  }: {
    readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
    readonly topic?: Topic;
  } = {},
): DocumentRef<T> {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  const path = parts.map(encodeURIComponent).join('/');
  return { path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`, ...(topic && { topic }) };
}
