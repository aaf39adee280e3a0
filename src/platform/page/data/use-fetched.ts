import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Topic } from './document.ts';
import { onNews } from './news.ts';
import { SourceProblem } from './source.ts';

/** While another thing is fetched the one before stays: the layout does not jump. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: SourceProblem;
  readonly isLoading: boolean;
}

export interface Wanted<T> {
  /** What it is of: with another one it is fetched anew. Undefined: nothing is asked for. */
  readonly key: string | undefined;
  readonly fetch: (key: string, signal: AbortSignal) => Promise<T>;
  /** What tells that it may have changed. */
  readonly topic?: Topic | undefined;
}

/**
 * Fetched again when there is news of its topic; while it is on its way news wait for it, so that a slow answer arrives
 * however much happens.
 */
export function useFetched<T>({ key, fetch, topic }: Wanted<T>): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly key?: string }>({ isLoading: true });
  const again = useRef<() => void>();
  // At once: an effect after painting would ask a frame later, and one part of a page often waits for another.
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
      const next = await fetched(fetch(key, control.signal));
      if (control.signal.aborted) return;
      isUnderWay = false;
      // What was there of the same thing is better than nothing; it is said that it is old.
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
  useEffect(() => (topic === undefined ? undefined : onNews(topic, reload)), [topic]);
  return { ...loaded, reload };
}

type Fetched<T> = { readonly value: T } | { readonly problem: SourceProblem };

async function fetched<T>(answer: Promise<T>): Promise<Fetched<T>> {
  try {
    return { value: await answer };
  } catch (error) {
    return { problem: error instanceof SourceProblem ? error : new SourceProblem(String(error)) };
  }
}
