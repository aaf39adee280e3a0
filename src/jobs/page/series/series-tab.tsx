import { useEffect, useRef } from 'preact/hooks';
import { onUpdate } from '../../../platform/page/data/live-updates.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import type { JobSeriesDocument } from '../../core/job-documents.ts';
import { queryOf } from '../filters.ts';
import type { TabProps } from '../tabs.tsx';
import { SeriesGrid } from './series-grid.tsx';

const MOST = 500;
const PAUSE_MS = 2_000;

/** Metrics of the chosen jobs as small multiples. */
export function SeriesTab({ selection, filters }: TabProps) {
  const query = queryOf(selection, filters, MOST);
  return <SeriesOf query={query} />;
}

/** The same of one job alone, on its page. */
export function SeriesOf({ query }: { readonly query: ReturnType<typeof queryOf> }) {
  const loaded = useDocument(query && documentRef<JobSeriesDocument>(['jobs', 'series'], { query }));
  useCalmNews(loaded);
  return (
    <Show loaded={loaded} height={320}>
      {(document) => <SeriesGrid document={document} />}
    </Show>
  );
}

/** Curves are large: while points stream in they are fetched anew now and then, and never before the last answer came. */
function useCalmNews({
  isLoading,
  reload,
}: {
  readonly isLoading: boolean;
  readonly reload: () => void;
}): void {
  const latest = useRef({ isLoading, reload });
  latest.current = { isLoading, reload };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (latest.current.isLoading) plan();
        else latest.current.reload();
      }, PAUSE_MS);
    };
    const stops = [onUpdate('points', plan), onUpdate('jobs', plan)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
}
