import { useMemo } from 'preact/hooks';
import { ChartView } from '../../charts/page/echart/chart-view.tsx';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import { setParameters, useAddress } from '../../platform/page/router/address.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { exploreChart } from '../core/explorer/explore-chart.ts';
import { filterParameter, readView } from '../core/explorer/explorer-view.ts';
import { bestPoint, pivotOf } from '../core/explorer/pivot.ts';
import { type ExplorerView, suggestView } from '../core/explorer/suggest-view.ts';
import { kpiTitle } from '../core/explorer/table-cells.ts';
import { ChartControls } from './chart-controls.tsx';
import { Downloads } from './downloads.tsx';
import { KpiTable } from './kpi-table.tsx';
import { PivotView } from './pivot-view.tsx';
import { SettingList } from './setting-list.tsx';

/** /matrix: the tests of a matrix along their settings. The URL has the whole state of the page. */
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
  const requested = useMemo(() => readView(new URLSearchParams(text), tests), [tests, text]);
  const view = useMemo(() => suggestView(tests, requested), [tests, requested]);
  if (view) return <Explorer tests={tests} view={view} problems={requested.problems} query={text} />;
  return (
    <PageFrame title="Matrix" heading="No test of a matrix is stored here yet" json="matrix">
      <Empty command="nightmark matrix kpi RESULTS --workload WORKLOAD --store HOME">
        Here you will see the KPIs of all tests along their settings: as charts, as a pivot table and one by
        one. An experiment with a “matrix” in nightmark.yml appears here after its next run. “nightmark matrix
        run” runs a matrix by itself; this command stores its KPIs in the home:
      </Empty>
    </PageFrame>
  );
}

export interface ExplorerProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
  /** What the URL requests and does not exist. */
  readonly problems: readonly string[];
  readonly query: string;
}

function Explorer({ tests, view, problems, query }: ExplorerProps) {
  const chart = useMemo(() => exploreChart(view), [view]);
  const pivot = useMemo(() => pivotOf(view), [view]);
  const isEmpty = view.selection.rows.length === 0;
  return (
    <PageFrame
      title="Matrix"
      heading={<Answer tests={tests} view={view} part="heading" />}
      lead={<Answer tests={tests} view={view} part="lead" />}
      json="matrix/entries"
      csv={query === '' ? 'matrix/entries.csv' : `matrix/entries.csv?${query}`}
    >
      {problems.map((problem) => (
        <p key={problem} class="problem" role="status">
          {problem}
        </p>
      ))}
      {isEmpty && <p class="calm">No test has all of the chosen values.</p>}
      {view.chart === 'table' ? (
        <PivotView view={view} pivot={pivot} />
      ) : (
        !isEmpty && <ChartView chart={chart} />
      )}
      <HiddenTests tests={tests} view={view} />
      <Downloads view={view} tests={tests} query={query} />
      <ChartControls tests={tests} view={view} />
      <SettingList tests={tests} view={view} />
      {view.chart !== 'table' && <PivotView view={view} pivot={pivot} />}
      <KpiTable tests={tests} view={view} />
    </PageFrame>
  );
}

interface AnswerProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
  readonly part: 'heading' | 'lead';
}

/** Number of tests, what varies, and where the KPI is best. */
function Answer({ tests, view, part }: AnswerProps) {
  return part === 'heading' ? <Heading view={view} /> : <Lead tests={tests} view={view} />;
}

function Heading({ view }: Pick<AnswerProps, 'view'>) {
  const best = bestPoint(view);
  const { kpi, selection } = view;
  if (best === undefined) return <>{counted(selection.rows.length, 'test')} of a matrix</>;
  return (
    <>
      Best {kpiTitle(kpi)}: <Quantity value={best.value} unit={kpi.unit} />
      {best.name !== '' && <> with {best.name}</>}
    </>
  );
}

function Lead({ tests, view }: Pick<AnswerProps, 'tests' | 'view'>) {
  const { selection, axes, averaged, kpi } = view;
  const best = bestPoint(view);
  const varying = [...axes, ...averaged].map(({ name }) => name);
  const shown = selection.rows.length;
  const newest = tests.times[selection.rows.at(-1) ?? -1] ?? null;
  return (
    <>
      {counted(shown, 'test')}
      {selection.failed.length > 0 && <>, {selection.failed.length} failed</>}
      {varying.length > 0 ? `; what varies is ${listed(varying)}` : '; nothing varies among them'}.{' '}
      {best && best.of > 1 && (
        <>
          {best.tests === 1
            ? 'The best is one test'
            : `The best is the mean of ${counted(best.tests, 'test')}`}{' '}
          among {counted(best.of, 'combination')}; {kpi.better} is better.{' '}
        </>
      )}
      {kpi.better === 'unknown' && <>{kpi.name} has no direction (lower or higher is better). </>}
      {newest !== null && (
        <>
          The newest began at <Minute at={newest} />.
        </>
      )}
    </>
  );
}

/** Names beyond this many are counted. */
const MAX_NAMES = 6;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${counted(more, 'more setting')}` : ''}`;
}

/** Tests that are not in the chart, and how to show them. */
function HiddenTests({ tests, view }: { readonly tests: StoredTests; readonly view: ExplorerView }) {
  const { selection, hasFailed, chosen, kpi } = view;
  const showAll = () => {
    const names = [...chosen.keys()].flatMap(({ name }) => [filterParameter(name), name]);
    setParameters(Object.fromEntries(names.map((name) => [name, undefined])));
  };
  const failed = counted(selection.failed.length, 'failed test');
  return (
    <ul class="hidden-tests">
      {selection.failed.length > 0 && (
        <li>
          {hasFailed ? `${failed} included.` : `${failed} left out: their values may mean nothing.`}{' '}
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ failed: hasFailed ? undefined : '1' })}
          >
            {hasFailed ? 'Leave them out' : 'Include them'}
          </button>
        </li>
      )}
      {chosen.size > 0 && (
        <li>
          {counted(selection.unchosen, 'test')} hidden by the selected values.{' '}
          <button type="button" class="small" onClick={showAll}>
            Show all values
          </button>
        </li>
      )}
      {selection.others > 0 && (
        <li>
          {counted(selection.others, 'other test')} without the KPI {kpi.name}: choose one of theirs to see
          them.
        </li>
      )}
      {tests.hasOlder && <li>Only the newest {counted(tests.ids.length, 'test')} are shown.</li>}
    </ul>
  );
}
