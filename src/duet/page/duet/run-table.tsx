import { formatNumber } from '../../../platform/core/text/numbers.ts';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { GroupAnalysis, RunAnalysis } from '../../core/analysis/duet-analysis.ts';
import { digits } from '../../core/analysis/group-text.ts';

interface Props {
  readonly group: GroupAnalysis;
  readonly orders: readonly string[];
  readonly chosen: number;
  readonly onChoose: (run: number) => void;
}

type Row = RunAnalysis & { readonly place: number; readonly order: string };

/** Runs as the units of the statistics: what each of them says. */
export function RunTable({ group, orders, chosen, onChoose }: Props) {
  const rows = group.runs.map((run, place): Row => ({ ...run, place, order: orders[place] ?? '' }));
  return (
    <DataTable
      caption="Runs: Enter shows the iterations of one"
      rows={rows}
      columns={columnsOf(onChoose)}
      rowKey={({ place }) => String(place)}
      sortName="runs"
      isSelected={({ place }) => place === chosen}
      onOpen={({ place }) => onChoose(place)}
      maxHeight="30vh"
    />
  );
}

function columnsOf(onChoose: (run: number) => void): readonly Column<Row>[] {
  return [
    {
      ...{ key: 'run', title: 'run' },
      sortBy: ({ runid }) => runid,
      cell: ({ runid, place }) => (
        <button
          type="button"
          class="plain link"
          onClick={() => onChoose(place)}
          aria-label={`Show run ${runid}`}
        >
          {runid}
        </button>
      ),
    },
    {
      ...{ key: 'order', title: 'order' },
      sortBy: ({ order }) => order,
      cell: ({ order }) => (order === 'None' ? 'each alone' : order),
    },
    {
      ...{ key: 'ratio', title: 'B / A', isNumber: true },
      sortBy: ({ logRatio }) => logRatio,
      cell: ({ logRatio }) => (logRatio === undefined ? '~' : digits(Math.exp(logRatio))),
    },
    {
      ...{ key: 'difference', title: 'mean A − B', isNumber: true },
      sortBy: ({ difference }) => difference,
      cell: ({ difference }) => (difference === undefined ? '~' : formatNumber(difference / 1e9, 's')),
    },
    {
      key: 'pairs',
      title: 'pairs',
      isNumber: true,
      sortBy: ({ pairs }) => pairs,
      cell: ({ pairs }) => formatNumber(pairs),
    },
    {
      ...{ key: 'steady', title: 'steady from, A and B', isNumber: true },
      cell: ({ steadyFromA, steadyFromB }) => `${steadyFromA ?? '~'}, ${steadyFromB ?? '~'}`,
    },
  ];
}
