import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Scope } from '../../core/access-token.ts';
import { onUpdate } from './live-updates.ts';
import { type DocumentRef, documentRef, SourceProblem, type Topic, theSource } from './source.ts';

/** The document, fetched again when its topic changes. Undefined: nothing is fetched. */
export function useDocument<T>(ref: DocumentRef<T> | undefined): Loaded<T> & { readonly reload: () => void } {
  const fetch = async (path: string, signal: AbortSignal) => (await theSource().json(path, signal)) as T;
  return useFetched({ key: ref?.path, fetch, topic: ref?.topic });
}

/** While another thing is fetched the one before stays: the layout does not jump. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: SourceProblem;
  readonly isLoading: boolean;
}

export interface Wanted<T> {
  /** Identifies it: with another key it is fetched again. Undefined: nothing is fetched. */
  readonly key: string | undefined;
  readonly fetch: (key: string, signal: AbortSignal) => Promise<T>;
  /** The topic whose updates mean that it may have changed. */
  readonly topic?: Topic | undefined;
}

/**
 * Fetched again when its topic changes; updates wait while it is being fetched, so that a slow answer arrives however
 * much happens.
 */
export function useFetched<T>({
  key,
  fetch: request,
  topic,
}: Wanted<T>): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly key?: string }>({ isLoading: true });
  const again = useRef<() => void>();
  // At once: an effect after painting would request it a frame later, and one part of a page often waits for another.
  useLayoutEffect(() => {
    if (key === undefined) return;
    const control = new AbortController();
    let [isUnderWay, isStale] = [false, false];
    const load = async () => {
      if (isUnderWay) {
        isStale = true;
        return;
      }
      isUnderWay = true;
      setLoaded((before) => ({ ...before, isLoading: true }));
      const next = await settled(request(key, control.signal));
      if (control.signal.aborted) return;
      isUnderWay = false;
      // An old value of the same key is better than nothing; the problem beside it says that it is old.
      setLoaded((before) => ({
        ...(before.key === key && 'problem' in next && before),
        ...next,
        isLoading: false,
        key,
      }));
      if (!isStale) return;
      isStale = false;
      void load();
    };
    again.current = () => void load();
    void load();
    return () => control.abort();
  }, [key]);
  const reload = () => again.current?.();
  useEffect(() => (topic === undefined ? undefined : onUpdate(topic, reload)), [topic]);
  return { ...loaded, reload };
}

type Fetched<T> = { readonly value: T } | { readonly problem: SourceProblem };

async function settled<T>(answer: Promise<T>): Promise<Fetched<T>> {
  try {
    return { value: await answer };
  } catch (error) {
    return { problem: error instanceof SourceProblem ? error : new SourceProblem(String(error)) };
  }
}

/** Who reads the page, and what they may do. */
export interface PageSession {
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly isReadOnly: boolean;
}

const NOBODY: PageSession = { scopes: [], isReadOnly: true };

/** Undefined until the server has answered; in a static site nothing can be changed. */
export function useSession(): PageSession | undefined {
  const { isLive } = theSource();
  const { value } = useDocument(isLive ? documentRef<PageSession>(['session']) : undefined);
  return isLive ? value : NOBODY;
}

/** Whether buttons that change something are shown. */
export function useMayWrite(): boolean {
  return useSession()?.scopes.includes('write') === true;
}
