import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilter } from '../../../home/core/run-filter.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { type Loaded, useDocument } from '../../../platform/page/data/use-document.ts';
import type { RunLine, RunList } from '../../app/runs/list-runs.ts';
import { addPage, EMPTY_PAGES, type RunPages } from './run-pages.ts';

export interface FollowedRuns {
  readonly loaded: Loaded<RunList>;
  readonly lines: readonly RunLine[];
  /** There are older ones. */
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  /** Fetches the next page of older ones. */
  more(): void;
}

/** The newest runs, those that come, and older ones on demand. */
export function useRuns(filter: RunFilter, before: string | undefined): FollowedRuns {
  // A static site has a document for each page of all runs, and none for filtered ones.
  const query = theSource().isLive ? { ...filter } : {};
  const key = JSON.stringify([query, before]);
  const first = documentRef<RunList>(['runs'], { query: { ...query, before }, topic: 'runs' });
  const loaded = useDocument(first);
  const [pages, setPages] = useState<RunPages>(EMPTY_PAGES);
  const [isBusy, setBusy] = useState(false);
  const current = useRef(key);
  const shownKey = useRef(key);
  current.current = key;
  useEffect(() => {
    if (loaded.value === undefined || loaded.isLoading) return;
    const list = loaded.value;
    const isOther = shownKey.current !== key;
    shownKey.current = key;
    setPages((known) => addPage(isOther ? EMPTY_PAGES : known, list, true));
  }, [loaded.value, loaded.isLoading]);
  const more = () => {
    if (isBusy || pages.next === undefined) return;
    setBusy(true);
    const { path } = documentRef<RunList>(['runs'], { query: { ...query, before: pages.next } });
    theSource()
      .json(path, new AbortController().signal)
      .then((list) => {
        if (current.current === key) setPages((known) => addPage(known, list as RunList, false));
      })
      .catch(() => undefined) // Requested again when the reader scrolls on; the line on top shows the problem.
      .finally(() => setBusy(false));
  };
  return { loaded, lines: pages.lines, hasMore: pages.next !== undefined, isBusy, more };
}
