import type { JobSeriesDocument } from '../../../../core/jobs/job-documents.ts';
import { documentRef } from '../../../data/document.ts';
import { useDocument } from '../../../data/use-document.ts';
import { Show } from '../../../parts/show.tsx';
import { queryOf } from '../filters.ts';
import type { TabProps } from '../tabs.tsx';
import { SeriesGrid } from './series-grid.tsx';

const MOST = 500;

/** Metrics of the chosen jobs as small multiples. */
export function SeriesTab({ selection, filters }: TabProps) {
  const query = queryOf(selection, filters, MOST);
  return <SeriesOf query={query} />;
}

/** The same of one job alone, on its page. */
export function SeriesOf({ query }: { readonly query: ReturnType<typeof queryOf> }) {
  const loaded = useDocument(
    query && documentRef<JobSeriesDocument>(['jobs', 'series'], { query, topic: 'points' }),
  );
  return (
    <Show loaded={loaded} height={320}>
      {(document) => <SeriesGrid document={document} />}
    </Show>
  );
}
