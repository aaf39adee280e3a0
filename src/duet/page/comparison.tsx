import { Readings } from '../../charts/page/readings.tsx';
import { formatNumber } from '../../platform/core/text/numbers.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Show } from '../../platform/page/parts/page-frame.tsx';
import { setParameters, useParameter } from '../../platform/page/router/address.ts';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { DuetGroupView, DuetRunDocument } from '../app/read-duet-group.ts';
import type { DuetView } from '../app/read-duet-view.ts';
import type { GroupAnalysis, RunAnalysis } from '../core/analysis/duet-analysis.ts';
import { digits } from '../core/analysis/group-text.ts';
import { verdictSentence } from '../core/verdict-sentence.ts';
import { Facts } from './comparison-facts.tsx';
import { IterationTimeline } from './iteration-timeline.tsx';
import { PairRatios, RatioBars, RunRatios } from './ratio-charts.tsx';
import { SideSettings } from './side-settings.tsx';

interface Props {
  readonly id: string;
  readonly view: DuetView;
  readonly group: GroupAnalysis;
  readonly place: number;
  readonly name: string;
}

const SIDES = { A: { name: 'A' }, B: { name: 'B' } };

/** One comparison with all its data. */
export function Comparison({ id, view, group, place, name }: Props) {
  const loaded = useDocument(
    documentRef<DuetGroupView>(['duets', id, 'groups', String(place)], { topic: 'runs' }),
  );
  const [given] = useParameter('run');
  const run = Math.min(group.runs.length - 1, Math.max(0, Number.parseInt(given ?? '0', 10) || 0));
  const choose = (one: number) =>
    setParameters({ run: one === 0 ? undefined : String(one), lanes: undefined, pairs: undefined });
  const { judgement } = group;
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison">
        {name}: {verdictSentence({ judgement, sides: SIDES })}
      </h2>
      <Facts group={group} />
      {judgement.notes.length > 0 && (
        <ul class="notes">
          {judgement.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="charts">
        <figure>
          <figcaption>Ratio B / A of every run, the unit of the statistics</figcaption>
          <RunRatios group={group} onChoose={choose} />
        </figure>
        <figure>
          <figcaption>Distribution of the ratio B / A over pairs</figcaption>
          <Show loaded={loaded} height={220}>
            {({ bins }) => (bins ? <RatioBars bins={bins} /> : <p class="quiet">No pair was found.</p>)}
          </Show>
        </figure>
      </div>
      <RunTable group={group} orders={loaded.value?.orders ?? []} chosen={run} onChoose={choose} />
      <RunDetail key={run} id={id} group={group} place={place} run={run} />
      <SideSettings view={view} group={group} />
    </section>
  );
}

interface RunProps extends Pick<Props, 'id' | 'group' | 'place'> {
  readonly run: number;
}

function RunDetail({ id, group, place, run }: RunProps) {
  const path = ['duets', id, 'groups', String(place), 'runs', String(run)];
  const loaded = useDocument(documentRef<DuetRunDocument>(path));
  return (
    <Show loaded={loaded} height={400}>
      {(found) => (
        <>
          <h3>
            Run {found.runid}
            {found.order !== 'None' && `, ${found.order[0]} started first`}
          </h3>
          <IterationTimeline run={found} />
          <PairRatios run={found} group={group} />
          <Telemetry run={found} />
        </>
      )}
    </Show>
  );
}

interface RunTableProps {
  readonly group: GroupAnalysis;
  readonly orders: readonly string[];
  readonly chosen: number;
  readonly onChoose: (run: number) => void;
}

type Row = RunAnalysis & { readonly place: number; readonly order: string };

/** Runs as the units of the statistics: what each of them says. */
function RunTable({ group, orders, chosen, onChoose }: RunTableProps) {
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

/** What the machine did while the run was measured: what disturbs shows here. */
function Telemetry({ run: { telemetry } }: { readonly run: DuetRunDocument }) {
  if (telemetry.series.length === 0) return null;
  return (
    <section aria-labelledby="telemetry">
      <h3 id="telemetry">The machine during this run</h3>
      <Readings readings={telemetry.series} first={4} />
      {telemetry.notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </section>
  );
}
