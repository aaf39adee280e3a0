import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { SeriesName, Shift } from '../../../judge/page/change-parts.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { FilterBox } from '../../../platform/page/parts/filter-box.tsx';
import { Minute } from '../../../platform/page/parts/moment.tsx';
import { PageFrame } from '../../../platform/page/parts/page-frame.tsx';
import { Show } from '../../../platform/page/parts/show.tsx';
import { Empty } from '../../../platform/page/parts/states-of-page.tsx';
import { goTo } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import { useParameter } from '../../../platform/page/router/use-address.ts';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { DuetEntry, DuetList } from '../../app/read-duet-list.ts';
import { useVerdicts, type VerdictBook } from './use-verdicts.ts';

const LIST = documentRef<DuetList>(['duets'], { topic: 'runs' });

/** All duets that the home knows of, with their verdicts. */
export function DuetsPage() {
  const loaded = useDocument(LIST);
  return (
    <Show loaded={loaded} height={400}>
      {(list) => (
        <PageFrame title="Duets" heading={headline(list)} json="duets" csv="duets.csv">
          {list.duets.length === 0 ? <NoDuet /> : <Duets duets={list.duets} />}
          <OfChanges changes={list.ofChanges} />
          <Stored stored={list.stored} />
        </PageFrame>
      )}
    </Show>
  );
}

function headline({ duets, ofChanges }: DuetList): string {
  const failed = duets.filter((one) => one.failed > 0).length;
  return [
    duets.length === 0 ? 'No duet in this home yet' : counted(duets.length, 'duet'),
    ...(failed > 0 ? [`${failed} with failed runs`] : []),
    ...(ofChanges.length > 0 ? [`${counted(ofChanges.length, 'change')} looked at by one`] : []),
  ].join(', ');
}

function NoDuet() {
  return (
    <Empty command="nightmark duet run duet.yml -o results/duets/first">
      Two sides at the same moment on the same machine, so that whatever disturbs one disturbs both. In the
      folder of the home this brings the first; tables that "nightmark duet process" writes into results/duets
      are shown too.
    </Empty>
  );
}

function Duets({ duets }: { readonly duets: readonly DuetEntry[] }) {
  const [filter = '', setFilter] = useParameter('filter');
  const book = useVerdicts();
  const words = filter.toLowerCase();
  const shown = duets.filter(({ id, names }) => [id, ...names].join('\n').toLowerCase().includes(words));
  const hidden = duets.length - shown.length;
  return (
    <>
      <div class="controls">
        <FilterBox value={filter} onChange={setFilter} placeholder="name" hidden={hidden} one="duet" />
      </div>
      <div aria-busy={shown.length > 0 && book.isBusy}>
        <DataTable
          caption="Duets"
          rows={shown}
          columns={columnsOf(book)}
          rowKey={({ id }) => id}
          rowHeight={34}
          onSight={(rows) => book.want(rows.map(({ id }) => id))}
          onOpen={({ id }) => goTo(`/duets/${encodeURIComponent(id)}`)}
          empty="No duet matches."
        />
      </div>
    </>
  );
}

function columnsOf(book: VerdictBook): readonly Column<DuetEntry>[] {
  return [
    {
      ...{ key: 'name', title: 'duet' },
      sortBy: ({ id }) => id,
      cell: ({ id, place }) => (
        <Link to={`/duets/${encodeURIComponent(id)}`} title={place}>
          {id}
        </Link>
      ),
    },
    {
      ...{ key: 'verdict', title: 'verdict' },
      cell: ({ id }) => <VerdictCell book={book} id={id} />,
    },
    { key: 'at', title: 'when', sortBy: ({ at }) => at, cell: ({ at }) => <Minute at={at} /> },
    {
      ...{ key: 'runs', title: 'runs', isNumber: true },
      sortBy: ({ done }) => done,
      cell: ({ planned, done, failed }) =>
        planned === 0 ? '~' : `${done} of ${planned}${failed > 0 ? `, ${failed} failed` : ''}`,
    },
    {
      ...{ key: 'state', title: 'state' },
      sortBy: ({ state }) => state,
      cell: ({ state, type }) =>
        state === 'unknown' ? (type === 'table' ? 'a table' : 'no journal') : state,
    },
  ];
}

function VerdictCell({ book, id }: { readonly book: VerdictBook; readonly id: string }) {
  const found = book.get(id);
  if (found === undefined) return <span class="quiet">…</span>;
  if (typeof found === 'string') return <span class="change worse">{found}</span>;
  const { slower, faster } = found.counts;
  return (
    <span class={slower > 0 ? 'change worse' : faster > 0 ? 'change better' : ''}>{found.headline}</span>
  );
}

function OfChanges({ changes }: { readonly changes: readonly FollowedChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="of-changes">
      <h2 id="of-changes">Duets that looked at changes</h2>
      <ul class="attention">
        {changes.slice(0, 50).map((change) => (
          <li key={change.id}>
            <Link to={`/changes/${encodeURIComponent(change.id)}`}>{change.id}</Link> {change.duet?.state}:{' '}
            <Shift change={change} /> <SeriesName series={change.series} />
            {change.duet?.effect && `, × ${change.duet.effect.ratio.toFixed(3)}`}
          </li>
        ))}
      </ul>
      {changes.length > 50 && <p class="quiet">and {changes.length - 50} older ones in the data.</p>}
    </section>
  );
}

function Stored({ stored }: { readonly stored: DuetList['stored'] }) {
  if (stored.length === 0) return null;
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">Stored as runs</h2>
      <p class="quiet">Of these the index keeps times of iterations, without their moments.</p>
      <ul class="attention">
        {stored.slice(0, 50).map(({ id, startedAt, order }) => (
          <li key={id}>
            <Link to={`/runs/${encodeURIComponent(id)}`}>{id}</Link> <Minute at={startedAt} />,{' '}
            {counted(order.length, 'benchmark')}
          </li>
        ))}
      </ul>
      {stored.length > 50 && <p class="quiet">and {stored.length - 50} older ones in the data.</p>}
    </section>
  );
}
