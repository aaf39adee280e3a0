import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentRef } from './document.ts';
import { onNews } from './news.ts';
import { SourceProblem, theSource } from './source.ts';

/** While another document is fetched the one before stays: the layout does not jump. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: SourceProblem;
  readonly isLoading: boolean;
}

/** The document, fetched again when there is news of its topic. Undefined: nothing is asked for. */
export function useDocument<T>(ref: DocumentRef<T> | undefined): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({ isLoading: true });
  const [round, setRound] = useState(0);
  const newest = useRef(0);
  const [path, topic] = [ref?.path, ref?.topic];
  useEffect(() => {
    if (path === undefined) return;
    const control = new AbortController();
    const mine = ++newest.current;
    const isMine = () => mine === newest.current && !control.signal.aborted;
    setLoaded((before) => ({ ...before, isLoading: true }));
    theSource()
      .json(path, control.signal)
      .then((value) => isMine() && setLoaded({ value: value as T, isLoading: false, path }))
      .catch((error: unknown) => {
        if (!isMine()) return;
        const problem = error instanceof SourceProblem ? error : new SourceProblem(String(error));
        setLoaded((before) => ({
          // What was there of the same document is better than nothing; it is said that it is old.
          ...(before.path === path && before.value !== undefined && { value: before.value }),
          ...{ problem, isLoading: false, path },
        }));
      });
    return () => control.abort();
  }, [path, round]);
  const reload = () => setRound((count) => count + 1);
  useEffect(() => (topic === undefined ? undefined : onNews(topic, reload)), [topic]);
  return { ...loaded, reload };
}
