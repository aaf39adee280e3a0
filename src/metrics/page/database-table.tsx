import { Quantity } from '../../platform/page/parts/display.tsx';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { PointsView } from '../app/points-view.ts';

type Database = PointsView['databases'][number];

/** What each database holds, and what it takes on disk. */
export function DatabaseTable({ databases }: Pick<PointsView, 'databases'>) {
  const logBytes = Math.max(...databases.map((size) => size.logBytes));
  return (
    <>
      <h2>Databases</h2>
      <DataTable
        caption="Databases"
        rows={databases}
        columns={COLUMNS}
        rowKey={({ database }) => database}
        sortName="databases"
      />
      <p class="quiet">
        The log of all databases has <Quantity value={logBytes} unit="B" />.
      </p>
    </>
  );
}

const COLUMNS: readonly Column<Database>[] = [
  { key: 'name', title: 'database', sortBy: ({ database }) => database, cell: ({ database }) => database },
  number('series', 'series', ({ series }) => series),
  number('fields', 'fields', ({ columns }) => columns),
  number('points', 'points', ({ points, waiting }) => points + waiting),
  number('waiting', 'not compressed yet', ({ waiting }) => waiting),
  number('size', 'size', ({ bytes }) => bytes, 'B'),
  number('each', 'a point', ({ points, bytes }) => (points === 0 ? undefined : bytes / points), 'B'),
];

function number(
  key: string,
  title: string,
  value: (row: Database) => number | undefined,
  unit = '',
): Column<Database> {
  const cell = (row: Database) => {
    const found = value(row);
    return found === undefined ? '' : <Quantity value={found} unit={unit} />;
  };
  return { key, title, isNumber: true, sortBy: value, cell };
}
