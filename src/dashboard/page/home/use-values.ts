import { useEffect, useRef, useState } from 'preact/hooks';
import { VALUES_PER_PAGE } from '../../../home/core/home-pages.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import type { HomeValue, HomeValues, HomeView } from '../../app/home/home-view.ts';

/** Values of rows, fetched in pages on demand. */
export interface ValueLoader {
  get(row: number): HomeValue | undefined;
  /** Requests the pages of these rows, unless they are loaded or loading. */
  request(rows: readonly number[]): void;
  readonly known: number;
  /** Something is being fetched. */
  readonly isBusy: boolean;
}

/** Concurrent requests; the pages in view come first. */
const AT_ONCE = 2;

export function useValues(view: HomeView): ValueLoader {
  const [pages, setPages] = useState<ReadonlyMap<number, readonly HomeValue[]>>(new Map());
  const wanted = useRef<number[]>([]);
  const requested = useRef(new Set<number>());
  const running = useRef(0);
  const round = useRef(view);
  const next = () => {
    while (running.current < AT_ONCE && wanted.current.length > 0) {
      const page = wanted.current.shift();
      if (page === undefined || requested.current.has(page)) continue;
      requested.current.add(page);
      running.current++;
      const mine = round.current;
      const finish = () => {
        running.current--;
        next();
      };
      theSource()
        .json(`home/values/${page}`, new AbortController().signal)
        .then((found) => {
          finish();
          if (mine === round.current)
            setPages((before) => new Map(before).set(page, (found as HomeValues).values));
        })
        .catch(() => {
          requested.current.delete(page);
          finish();
        });
    }
  };
  useEffect(() => {
    // New results: what is shown stays until the new values are there.
    if (round.current === view) return;
    round.current = view;
    wanted.current = [...requested.current];
    requested.current.clear();
    next();
  }, [view]);
  return {
    get: (row) => {
      const value = pages.get(Math.floor(row / VALUES_PER_PAGE))?.[row % VALUES_PER_PAGE];
      return value?.id === view.rows[row]?.id ? value : undefined;
    },
    request: (rows) => {
      const missing = new Set(
        rows.map((row) => Math.floor(row / VALUES_PER_PAGE)).filter((page) => !requested.current.has(page)),
      );
      if (missing.size === 0) return;
      wanted.current = [...missing, ...wanted.current.filter((page) => !missing.has(page))];
      next();
    },
    isBusy: running.current > 0 || pages.size === 0,
    known: [...pages.values()].reduce((sum, page) => sum + page.length, 0),
  };
}
