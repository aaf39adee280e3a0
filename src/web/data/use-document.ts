import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DocumentRef } from './document.ts';
import { onNews } from './news.ts';
import { SourceProblem, theSource } from './source.ts';

/** While another document is fetched the one before stays: the layout does not jump. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: SourceProblem;
  readonly isLoading: boolean;
}

/**
 * The document, fetched again when there is news of its topic; while it is on its way news wait for it, so that a slow one
 * arrives however much happens. Undefined: nothing is asked for.
 */
export function useDocument<T>(ref: DocumentRef<T> | undefined): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({ isLoading: true });
  const again = useRef<() => void>();
  const [path, topic] = [ref?.path, ref?.topic];
  // At once: an effect after painting would ask a frame later, and one part of a page often waits for another.
  useLayoutEffect(() => {
    if (path === undefined) return;
    const control = new AbortController();
    let [isUnderWay, isStale] = [false, false];
    const load = async () => {
      if (isUnderWay) {
        isStale = true;
        return;
      }
      isUnderWay = true;
      setLoaded((before) => ({ ...before, isLoading: true }));
      const next = await fetched<T>(path, control.signal);
      if (control.signal.aborted) return;
      isUnderWay = false;
      // What was there of the same document is better than nothing; it is said that it is old.
      setLoaded((before) => ({
        ...(before.path === path && 'problem' in next && before),
        ...next,
        isLoading: false,
        path,
      }));
      if (!isStale) return;
      isStale = false;
      void load();
    };
    again.current = () => void load();
    void load();
    return () => control.abort();
  }, [path]);
  const reload = () => again.current?.();
  useEffect(() => (topic === undefined ? undefined : onNews(topic, reload)), [topic]);
  return { ...loaded, reload };
}

type Fetched<T> = { readonly value: T } | { readonly problem: SourceProblem };

async function fetched<T>(path: string, signal: AbortSignal): Promise<Fetched<T>> {
  try {
    return { value: (await theSource().json(path, signal)) as T };
  } catch (error) {
    return { problem: error instanceof SourceProblem ? error : new SourceProblem(String(error)) };
  }
}
