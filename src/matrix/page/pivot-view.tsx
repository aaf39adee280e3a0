import { useMemo } from 'preact/hooks';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import {
  columnName,
  MAX_COLUMNS,
  type Pivot,
  type PivotCell,
  type PivotRow,
} from '../core/explorer/pivot.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';
import { kpiTitle } from '../core/explorer/table-cells.ts';
import { halfWidth } from '../core/plots/describe-chart.ts';

interface PivotViewProps {
  readonly view: ExplorerView;
  readonly pivot: Pivot;
}

/** Means by two groups of settings; a cell shows what was not run or failed. */
export function PivotView({ view, pivot }: PivotViewProps) {
  const columns = useMemo(() => columnsOf(view, pivot), [view, pivot]);
  const left = pivot.columns.length - MAX_COLUMNS;
  const direction = view.kpi.better === 'unknown' ? '' : ` (${view.kpi.better} is better)`;
  return (
    <section aria-labelledby="pivot-title">
      <h2 id="pivot-title">
        {kpiTitle(view.kpi)}
        {direction}: means by setting
      </h2>
      <DataTable
        caption="Means by setting"
        rows={pivot.rows}
        columns={columns}
        rowKey={({ point }) => point.join(' ')}
        sortName="pivot-sort"
        maxHeight="60vh"
      />
      {left > 0 && <p class="quiet">{counted(left, 'more column')} not shown; the CSV has all.</p>}
    </section>
  );
}

function columnsOf(view: ExplorerView, pivot: Pivot): readonly Column<PivotRow>[] {
  const best = bestMean(view, pivot);
  const down = pivot.down.map(
    ({ name }, at): Column<PivotRow> => ({
      key: `s.${name}`,
      title: <Clipped text={name} />,
      cell: ({ texts }) => texts[at] ?? '',
      sortBy: ({ point }) => point[at],
    }),
  );
  const means = pivot.columns.slice(0, MAX_COLUMNS).map(
    (column, at): Column<PivotRow> => ({
      key: `c.${column.point.join('.')}`,
      title: <Clipped text={columnName(pivot, column)} />,
      isNumber: true,
      sortBy: ({ cells }) => cells[at]?.mean,
      cell: ({ cells }) => <Cell cell={cells[at]} view={view} best={best} />,
    }),
  );
  return [...down, ...means];
}

interface CellProps {
  readonly cell: PivotCell | undefined;
  readonly view: ExplorerView;
  readonly best: number | undefined;
}

function Cell({ cell, view, best }: CellProps) {
  if (cell === undefined) return null;
  const { kpi, spread } = view;
  const failed = cell.failed > 0 && <span class="state failed"> {cell.failed} failed</span>;
  if (cell.count === 0) {
    if (failed) return failed;
    return <span class="quiet">{cell.tests === 0 ? 'not run' : 'no value'}</span>;
  }
  const half = spread === 'none' || cell.count < 3 ? 0 : halfWidth(cell, spread);
  return (
    <span title={counted(cell.count, 'test')}>
      {cell.mean === best && <strong>best </strong>}
      <Quantity value={cell.mean} unit={kpi.unit} />
      {half > 0 && <span class="quiet"> ±{formatNumber(half, kpi.unit)}</span>}
      {failed}
    </span>
  );
}

/** Undefined where the KPI has no direction, or there is only one mean. */
function bestMean({ kpi }: ExplorerView, { rows }: Pivot): number | undefined {
  const means = rows.flatMap(({ cells }) => cells.flatMap(({ mean, count }) => (count > 0 ? [mean] : [])));
  if (kpi.better === 'unknown' || means.length < 2) return undefined;
  return means.reduce((one, other) => ((kpi.better === 'lower') === one <= other ? one : other));
}

/** A long name, cut by the style sheet. */
export function Clipped({ text }: { readonly text: string }) {
  return (
    <span class="clipped" title={text}>
      {text}
    </span>
  );
}
