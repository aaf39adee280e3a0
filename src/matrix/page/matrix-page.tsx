import { useMemo } from 'preact/hooks';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { useAddress } from '../../platform/page/router/address.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { readView } from '../core/explorer/explorer-view.ts';
import { suggestView } from '../core/explorer/suggest-view.ts';
import { Explorer } from './explorer.tsx';

/** /matrix: the tests of a matrix along their settings. What is shown is in the address, all of it. */
export function MatrixPage() {
  const loaded = useDocument(documentRef<StoredTests>(['matrix', 'entries'], { topic: 'runs' }));
  return (
    <Show loaded={loaded} height={600}>
      {(tests) => <Tests tests={tests} />}
    </Show>
  );
}

function Tests({ tests }: { readonly tests: StoredTests }) {
  const { query } = useAddress();
  const text = query.toString();
  const asked = useMemo(() => readView(new URLSearchParams(text), tests), [tests, text]);
  const view = useMemo(() => suggestView(tests, asked), [tests, asked]);
  if (view) return <Explorer tests={tests} view={view} problems={asked.problems} query={text} />;
  return (
    <PageFrame title="Matrix" heading="No test of a matrix is stored here yet" json="matrix">
      <Empty command="nightmark matrix kpi RESULTS --workload WORKLOAD --store HOME">
        Here you will see the KPIs of all tests along their settings: as charts, as a pivot table and one by
        one. An experiment with a “matrix” in nightmark.yml appears here after its next night. “nightmark
        matrix run” runs a matrix by itself; this command keeps its KPIs in the home:
      </Empty>
    </PageFrame>
  );
}
