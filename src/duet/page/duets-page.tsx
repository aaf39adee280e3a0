import { useRef, useState } from 'preact/hooks';
import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import { SeriesName, Shift } from '../../judge/page/change-parts.tsx';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef, SourceProblem, theSource } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { FilterBox } from '../../platform/page/parts/controls.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import { goTo, useParameter } from '../../platform/page/router/address.ts';
import { Link } from '../../platform/page/router/link.tsx';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { DuetEntry, DuetList } from '../app/read-duet-list.ts';
import type { DuetVerdicts } from '../app/read-duet-view.ts';

const LIST = documentRef<DuetList>(['duets'], { topic: 'runs' });

/** All duets of the home, with their verdicts. */
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
    ...(ofChanges.length > 0 ? [`${counted(ofChanges.length, 'change')} checked by a duet`] : []),
  ].join(', ');
}

function NoDuet() {
  return (
    <Empty command="nightmark duet run duet.yml -o results/duets/first">
      Two sides at the same time on the same machine, so that whatever disturbs one disturbs both. In the
      folder of the home this brings the first; tables that "nightmark duet process" writes into results/duets
      are shown too.
    </Empty>
  );
}

function Duets({ duets }: { readonly duets: readonly DuetEntry[] }) {
  const [filter = '', setFilter] = useParameter('filter');
  const verdicts = useVerdicts();
  const wanted = filter.toLowerCase();
  const shown = duets.filter(({ id, names }) => [id, ...names].join('\n').toLowerCase().includes(wanted));
  const hidden = duets.length - shown.length;
  return (
    <>
      <div class="controls">
        <FilterBox value={filter} onChange={setFilter} placeholder="name" hidden={hidden} one="duet" />
      </div>
      <div aria-busy={shown.length > 0 && verdicts.isBusy}>
        <DataTable
          caption="Duets"
          rows={shown}
          columns={columnsOf(verdicts)}
          rowKey={({ id }) => id}
          rowHeight={34}
          onSight={(rows) => verdicts.want(rows.map(({ id }) => id))}
          onOpen={({ id }) => goTo(`/duets/${encodeURIComponent(id)}`)}
          empty="No duet matches."
        />
      </div>
    </>
  );
}

function columnsOf(verdicts: VerdictQueue): readonly Column<DuetEntry>[] {
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
      cell: ({ id }) => <VerdictCell verdicts={verdicts} id={id} />,
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

function VerdictCell({ verdicts, id }: { readonly verdicts: VerdictQueue; readonly id: string }) {
  const found = verdicts.get(id);
  if (found === undefined) return <span class="quiet">…</span>;
  if (!found.ok) return <span class="change worse">{found.error}</span>;
  const { headline, counts } = found.value;
  const { slower, faster } = counts;
  return <span class={slower > 0 ? 'change worse' : faster > 0 ? 'change better' : ''}>{headline}</span>;
}

function OfChanges({ changes }: { readonly changes: readonly FollowedChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="of-changes">
      <h2 id="of-changes">Duets that checked changes</h2>
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
      <p class="quiet">The index keeps the times of their iterations, without timestamps.</p>
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

/** Verdicts of duets, which are fetched one after the other when their rows become visible. */
interface VerdictQueue {
  /** Undefined until it was fetched. */
  get(id: string): Result<DuetVerdicts> | undefined;
  want(ids: readonly string[]): void;
  readonly isBusy: boolean;
}

function useVerdicts(): VerdictQueue {
  const [found, setFound] = useState<ReadonlyMap<string, Result<DuetVerdicts>>>(new Map());
  const [isBusy, setBusy] = useState(true);
  const requested = useRef(new Set<string>());
  const waiting = useRef<string[]>([]);
  const isRunning = useRef(false);
  const next = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    for (let id = waiting.current.shift(); id !== undefined; id = waiting.current.shift()) {
      const mine = id;
      const fetched = await fetchOne(mine);
      setFound((before) => new Map(before).set(mine, fetched));
    }
    isRunning.current = false;
    setBusy(false);
  };
  return {
    get: (id) => found.get(id),
    want(ids) {
      const missing = ids.filter((id) => !requested.current.has(id));
      if (missing.length === 0) return;
      for (const id of missing) requested.current.add(id);
      setBusy(true);
      waiting.current = [...missing, ...waiting.current];
      void next();
    },
    isBusy,
  };
}

async function fetchOne(id: string): Promise<Result<DuetVerdicts>> {
  try {
    const { path } = documentRef<DuetVerdicts>(['duets', id, 'verdicts']);
    return ok((await theSource().json(path, new AbortController().signal)) as DuetVerdicts);
  } catch (error) {
    return failed(error instanceof SourceProblem ? error.message : String(error));
  }
}
