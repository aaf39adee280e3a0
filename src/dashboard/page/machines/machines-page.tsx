import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age, Day } from '../../../platform/page/parts/time.tsx';
import { goTo } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { MachineLine, MachinesView } from '../../app/machines/machine-view.ts';
import { Noise, percentText } from './noise.tsx';

const MACHINES = documentRef<MachinesView>(['machines'], { topic: 'runs' });

/** The machines of all runs, with their noise. */
export function MachinesPage() {
  const loaded = useDocument(MACHINES);
  return (
    <Show loaded={loaded} height={400}>
      {(view) => (
        <PageFrame
          title="Machines"
          heading={headline(view)}
          lead={<Lead view={view} />}
          json="machines"
          csv="machines.csv"
        >
          {view.machines.length === 0 ? (
            <Empty command="nightmark run">
              Here you will see the machines of all runs, with the facts of each and how much its values vary.
              The first run records them:
            </Empty>
          ) : (
            <DataTable
              caption="Machines"
              rows={view.machines}
              columns={COLUMNS}
              rowKey={({ key }) => key}
              rowHeight={34}
              onOpen={({ key }) => goTo(placeOf(key))}
            />
          )}
        </PageFrame>
      )}
    </Show>
  );
}

function headline({ machines, unknown }: MachinesView): string {
  if (machines.length === 0) return 'No machine is recorded yet';
  const [first] = machines;
  return machines.length === 1 && first && unknown === 0
    ? `All runs were measured on ${first.key}`
    : counted(machines.length, 'machine');
}

function Lead({ view: { machines, runs, unknown, series } }: { readonly view: MachinesView }) {
  const noisy = machines.flatMap(({ key, noise }) => (noise ? [{ key, noise }] : []));
  const quietest = noisy.toSorted((a, b) => a.noise.median - b.noise.median)[0];
  const ofAll = series.all > series.used ? ` of ${counted(series.all, 'series', 'series')}` : '';
  return (
    <span class="quiet">
      {counted(runs, 'run')} evaluated
      {unknown > 0 && `, ${counted(unknown, 'run')} without a known machine`}.
      {quietest &&
        ` ${noisy.length > 1 ? 'The quietest' : 'Values'}${noisy.length > 1 ? ` is ${quietest.key}: its values` : ''} vary by ${percentText(quietest.noise.median)}, by ${counted(series.used, 'series', 'series')}${ofAll}.`}
    </span>
  );
}

function placeOf(key: string): string {
  return `/machines/${encodeURIComponent(key)}`;
}

const COLUMNS: readonly Column<MachineLine>[] = [
  {
    ...{ key: 'name', title: 'machine' },
    sortBy: ({ key }) => key,
    cell: ({ key, ids }) => (
      <>
        <Link to={placeOf(key)} title={key}>
          {key}
        </Link>{' '}
        <code class="quiet">{ids[0]?.slice(0, 8)}</code>
      </>
    ),
  },
  {
    ...{ key: 'noise', title: 'noise', isNumber: true },
    sortBy: ({ noise }) => noise?.median,
    cell: ({ noise }) => <Noise noise={noise} />,
  },
  {
    ...{ key: 'nights', title: 'nights', isNumber: true },
    sortBy: ({ nights }) => nights,
    cell: ({ nights }) => <Quantity value={nights} />,
  },
  {
    ...{ key: 'runs', title: 'runs', isNumber: true },
    sortBy: ({ runs }) => runs,
    cell: ({ runs }) => <Quantity value={runs} />,
  },
  {
    ...{ key: 'last', title: 'last seen' },
    sortBy: ({ lastAt }) => lastAt,
    cell: ({ lastAt }) => <Age at={lastAt} />,
  },
  {
    ...{ key: 'changed', title: 'hardware or system changed' },
    sortBy: ({ changedAt }) => changedAt,
    cell: ({ changedAt, ids }) =>
      changedAt === undefined ? (
        <span class="quiet">never</span>
      ) : (
        <>
          <Day at={changedAt} /> <span class="quiet">{counted(ids.length, 'fingerprint')}</span>
        </>
      ),
  },
  {
    ...{ key: 'facts', title: 'description' },
    cell: ({ summary }) => <span title={summary}>{summary || '~'}</span>,
  },
];
