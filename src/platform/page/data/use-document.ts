import type { DocumentRef } from './document.ts';
import { theSource } from './source.ts';
import { type Loaded, useFetched } from './use-fetched.ts';

export type { Loaded } from './use-fetched.ts';

/** The document, fetched again when there is news of its topic. Undefined: nothing is asked for. */
export function useDocument<T>(ref: DocumentRef<T> | undefined): Loaded<T> & { readonly reload: () => void } {
  const fetch = async (path: string, signal: AbortSignal) => (await theSource().json(path, signal)) as T;
  return useFetched({ key: ref?.path, fetch, topic: ref?.topic });
}
