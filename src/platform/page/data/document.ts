/** A document of the API by its address, with the type of what it holds. */
export interface DocumentRef<T> {
  /** Below /api, with its parameters: "runs?limit=50". */
  readonly path: string;
  /** What tells that it may have changed; absent: it never does while it is looked at. */
  readonly topic?: Topic;
  /** Never there: carries the type. */
  readonly holds?: T;
}

/** News come by topic: see src/server/live. */
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
