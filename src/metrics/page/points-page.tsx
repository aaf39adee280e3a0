import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { useAddress } from '../../platform/page/router/address.ts';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { PointsView } from '../app/points-status.ts';
import { Explorer } from './explorer.tsx';
import { MirrorTable, RefusedLineTable, SourceTable } from './ingest-tables.tsx';

const STATUS = documentRef<PointsView>(['points', 'status'], { topic: 'points' });

/** A chart of stored points, then what was received, refused and lost. */
export function PointsPage() {
  const loaded = useDocument(STATUS);
  const { query } = useAddress();
  const { value: view, problem } = loaded;
  // The route exists only where points are accepted.
  if (view === undefined && problem?.status === 404) return <NoPoints />;
  const database = query.get('db') ?? (view && largest(view));
  // A URL with a database need not wait for the sizes.
  if (view === undefined && (problem || database === undefined))
    return (
      <Show loaded={loaded} height={600}>
        {() => null}
      </Show>
    );
  const hasPoints = view === undefined || pointsIn(view) > 0;
  return (
    <PageFrame
      title="Points"
      json="points/status"
      {...(view && { heading: headline(view), lead: <Lead view={view} /> })}
    >
      {database !== undefined && hasPoints && theSource().isLive && (
        <Explorer
          database={database}
          databases={view?.databases.map((one) => one.database) ?? [database]}
          columns={view?.databases.find((one) => one.database === database)?.columns}
        />
      )}
      <Show loaded={loaded} height={600}>
        {(known) => <Stored view={known} />}
      </Show>
    </PageFrame>
  );
}

function Stored({ view }: { readonly view: PointsView }) {
  return (
    <>
      {pointsIn(view) === 0 && view.problem === undefined && (
        <HowToSend database={view.databases[0]?.database} />
      )}
      {view.databases.length > 0 && <DatabaseTable databases={view.databases} />}
      <h2>What came in since the server started</h2>
      <SourceTable ingest={view.ingest} />
      <h2>Refused</h2>
      <RefusedLineTable ingest={view.ingest} />
      {view.forwarding.length > 0 && (
        <>
          <h2>Mirrors</h2>
          <MirrorTable mirrors={view.forwarding} />
        </>
      )}
    </>
  );
}

function largest({ databases }: PointsView): string | undefined {
  const bySize = databases.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return bySize[0]?.database;
}

function sizeOf({ points, waiting }: PointsView['databases'][number]): number {
  return points + waiting;
}

function pointsIn({ databases }: PointsView): number {
  return databases.reduce((sum, one) => sum + sizeOf(one), 0);
}

function headline(view: PointsView): string {
  if (view.problem !== undefined) return 'The storage of points is unavailable';
  const { databases, hidden } = view;
  const shown = hidden > 0 ? `, of which ${databases.length} are shown` : '';
  return `${counted(pointsIn(view), 'point')} in ${counted(databases.length + hidden, 'database')}${shown}`;
}

function Lead({ view: { problem } }: { readonly view: PointsView }) {
  if (problem !== undefined)
    return (
      <>
        <span class="message">{problem.slice(0, 500)}</span> It is retried automatically. Until then writes
        and queries are answered with status 503.
      </>
    );
  return (
    <span class="quiet">
      The newest points wait in memory and in the log until they are compressed. The values:{' '}
      <code>/api/points</code>, <code>/query</code>
    </span>
  );
}

/** A write needs an existing database. */
function HowToSend({ database }: { readonly database: string | undefined }) {
  const create = `curl -X POST '${location.origin}/query' --data-urlencode 'q=CREATE DATABASE nightmark'`;
  // Of the special characters in single quotes of a shell, URL encoding leaves only the quote itself.
  const name = String(new URLSearchParams({ db: database ?? 'nightmark' })).replaceAll("'", '%27');
  const write = `curl -X POST '${location.origin}/write?${name}' --data-binary 'loss,job=7 value=0.46'`;
  return (
    <>
      {database === undefined && <Empty command={create}>No points yet. First make a database:</Empty>}
      <Empty command={write}>
        {database === undefined ? 'Then send a point:' : 'No points yet. One way to send one:'}
      </Empty>
    </>
  );
}

function NoPoints() {
  return (
    <PageFrame title="Points" heading="This server takes no points">
      <Empty>
        The reason is in the terminal of <code>nightmark serve</code>: another server may have this home open,
        or the definition cannot be read.
      </Empty>
    </PageFrame>
  );
}

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
