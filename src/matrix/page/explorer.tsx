import { useMemo } from 'preact/hooks';
import { ChartView } from '../../charts/page/echart/chart-view.tsx';
import { PageFrame } from '../../platform/page/parts/page-frame.tsx';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { exploreChart } from '../core/explorer/explore-chart.ts';
import { pivotOf } from '../core/explorer/pivot.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';
import { Answer } from './answer.tsx';
import { ChartControls } from './chart-controls.tsx';
import { Downloads } from './downloads.tsx';
import { HiddenTests } from './hidden-tests.tsx';
import { KpiTable } from './kpi-table.tsx';
import { PivotView } from './pivot-view.tsx';
import { SettingList } from './setting-list.tsx';

export interface ExplorerProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
  /** What the address asks for and is not there. */
  readonly problems: readonly string[];
  readonly query: string;
}

export function Explorer({ tests, view, problems, query }: ExplorerProps) {
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
