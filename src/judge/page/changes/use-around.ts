import { useEffect, useRef, useState } from 'preact/hooks';
import { theSource } from '../../../platform/page/data/source.ts';
import type { ChangeTable } from '../../app/changes/read-change-table.ts';
import type { ChangeAround, ChangesAround } from '../../app/changes/read-changes-around.ts';
import { AROUND_PER_PAGE } from '../../core/changes/change-pages.ts';

/** What lies around changes, fetched in pages when they come into sight. */
export interface AroundBook {
  get(id: string): ChangeAround | undefined;
  want(ids: readonly string[]): void;
  readonly known: number;
}

export function useAround({ changes }: ChangeTable): AroundBook {
  const [found, setFound] = useState<ReadonlyMap<string, ChangeAround>>(new Map());
  const asked = useRef(new Set<number>());
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  // What people said moves nothing: only other changes do.
  const key = changes.map(({ id, runId }) => `${id} ${runId}`).join();
  useEffect(() => {
    places.current = new Map(changes.map(({ id }, place) => [id, place]));
    const again = [...asked.current];
    asked.current.clear();
    for (const page of again) fetchPage(page);
  }, [key]);
  const fetchPage = (page: number) => {
    if (asked.current.has(page)) return;
    asked.current.add(page);
    theSource()
      .json(`changes/around/${page}`, new AbortController().signal)
      .then((document) => {
        const { around } = document as ChangesAround;
        setFound((before) => new Map([...before, ...around.map((one) => [one.id, one] as const)]));
      })
      .catch(() => asked.current.delete(page));
  };
  return {
    get: (id) => found.get(id),
    want(ids) {
      const known = places.current.size > 0 ? places.current : new Map(changes.map(({ id }, at) => [id, at]));
      for (const page of new Set(ids.map((id) => Math.floor((known.get(id) ?? 0) / AROUND_PER_PAGE))))
        fetchPage(page);
    },
    known: found.size,
  };
}
