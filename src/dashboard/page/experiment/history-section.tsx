import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Empty, Show } from '../../../platform/page/parts/page-frame.tsx';
import { goTo, setParameters, useParameter, useZoom } from '../../../platform/page/router/address.ts';
import type { ExperimentHistory } from '../../app/read-history.ts';
import type { Axis, Zoom } from './chart-axis.ts';
import { HistoryControls } from './history-controls.tsx';
import { HistoryPages } from './history-pages.tsx';
import { MetricChart } from './metric-chart.tsx';

/** Every value of the experiment with its history; all charts show the same stretch. */
export function HistorySection({ name }: { readonly name: string }) {
  const [search] = useParameter('search');
  const [first] = useParameter('first');
  const [details] = useParameter('details');
  const [order] = useParameter('order');
  const [zoom, setZoom] = useZoom();
  const query = { search, first, details, order };
  const loaded = useDocument(historyRef(name, query));
  const exact = useDocument(
    zoom && needsExact(loaded.value) ? historyRef(name, { ...query, from: zoom[0], to: zoom[1] }) : undefined,
  );
  return (
    <section>
      <h2>Values</h2>
      <Show loaded={loaded} height={480}>
        {(whole) => (
          <>
            {whole.count + whole.details > 0 && (
              <HistoryControls history={whole} zoom={zoom} onZoom={setZoom} />
            )}
            <Charts history={exactOr(whole, zoom, exact.value)} zoom={zoom} onZoom={setZoom} />
            <HistoryPages history={whole} />
          </>
        )}
      </Show>
    </section>
  );
}

type HistoryQuery = Readonly<Record<'search' | 'first' | 'details' | 'order', string | undefined>>;

function historyRef(name: string, query: HistoryQuery & { readonly from?: number; readonly to?: number }) {
  const { from, to } = query;
  const range = from === undefined || to === undefined ? {} : { from: whole(from), to: whole(to) };
  return documentRef<ExperimentHistory>(['experiments', name, 'history'], {
    query: { ...query, ...range },
    topic: 'runs',
  });
}

/** An axis may end before 1970. */
function whole(at: number): number {
  return Math.max(0, Math.round(at));
}

function needsExact(history: ExperimentHistory | undefined): boolean {
  return theSource().isLive && (history?.series.some(({ count, values }) => count > values.length) ?? false);
}

/** What was fetched for another page or search is not taken. */
function exactOr(
  history: ExperimentHistory,
  zoom: Zoom | undefined,
  exact: ExperimentHistory | undefined,
): ExperimentHistory {
  const paths = ({ series }: ExperimentHistory) => JSON.stringify(series.map(({ path }) => path));
  return zoom && exact && paths(exact) === paths(history) ? exact : history;
}

interface ChartsProps {
  readonly history: ExperimentHistory;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

function Charts({ history, zoom, onZoom }: ChartsProps) {
  const [axisName] = useParameter('axis');
  const [scale] = useParameter('scale');
  const [base] = useParameter('base');
  const axis: Axis = axisName === 'commit' ? 'commit' : 'time';
  if (history.series.length === 0) return <NoValues history={history} />;
  const pick = (runId: string, { isShift }: { readonly isShift: boolean }) => {
    if (runId === '') return;
    if (!isShift) goTo(`/runs/${encodeURIComponent(runId)}`);
    else setParameters(base === undefined ? { base: runId } : { head: runId });
  };
  return (
    <div class="charts">
      {history.series.map((view) => (
        <MetricChart
          key={JSON.stringify(view.path)}
          view={view}
          history={history}
          axis={axis}
          isLog={scale === 'log'}
          zoom={zoom}
          onZoom={onZoom}
          onPick={pick}
        />
      ))}
    </div>
  );
}

function NoValues({ history: { count, details, runs } }: { readonly history: ExperimentHistory }) {
  if (count + details > 0) return <Empty>No value has all of these words in its name.</Empty>;
  if (runs.failedCount > 0 && runs.failedCount >= runs.ids.length) {
    return (
      <Empty command="nightmark run">
        There is no value yet: every run of it failed. Its stages and logs are below; when they are mended,
        this measures again:
      </Empty>
    );
  }
  return (
    <Empty command="nightmark run">
      No number was found in its data files yet. Every number that the analyze stage writes to data.json
      appears here after the next night.
    </Empty>
  );
}
