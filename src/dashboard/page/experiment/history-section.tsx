import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Empty, Show } from '../../../platform/page/parts/page-frame.tsx';
import { localText } from '../../../platform/page/parts/time.tsx';
import { goTo, setParameters, useParameter, useZoom } from '../../../platform/page/router/address.ts';
import type { ExperimentHistory } from '../../app/read-history.ts';
import type { Axis, Zoom } from './chart-data.ts';
import { MetricChart } from './metric-chart.tsx';

/** Every value of the experiment with its history; all charts show the same range. */
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

/** A response for another page or search is ignored. */
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
  if (count + details > 0) return <Empty>No value matches the search.</Empty>;
  if (runs.failedCount > 0 && runs.failedCount >= runs.ids.length) {
    return (
      <Empty command="nightmark run">
        There is no value yet: every run of it failed. Its stages and logs are below; when they are fixed,
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

interface HistoryControlsProps {
  readonly history: ExperimentHistory;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** No request for each typed letter. */
const PAUSE_MS = 250;

/** Which values, on which axes, and which range of their history. */
function HistoryControls({ history, zoom, onZoom }: HistoryControlsProps) {
  const { count, details, runs, notes, lookedThrough, stretches } = history;
  return (
    <>
      <div class="controls">
        {(count + details > 1 || history.matching !== count) && <SearchField />}
        <Choice name="axis" label="axis" options={{ '': 'time', commit: 'runs, by commit' }} />
        <Choice name="scale" label="scale" options={{ '': 'linear', log: 'logarithmic' }} />
        {count > 1 && <Choice name="order" label="order" options={{ '': 'changes first', name: 'name' }} />}
        {details > 0 && <DetailsBox count={details} />}
        <div class="chips">
          {stretches.map(({ runs: length, from, to }) => (
            <button key={length} type="button" class="chip" onClick={() => onZoom([from, to])}>
              last {length} runs
            </button>
          ))}
          {zoom && (
            <button type="button" class="chip" aria-pressed="true" onClick={() => onZoom(undefined)}>
              {localText(zoom[0]).slice(0, 10)} to {localText(zoom[1]).slice(0, 10)}: show all
            </button>
          )}
        </div>
      </div>
      <p class="quiet legend">
        Dot: run. Line with band: level with its 95 % interval. Dashed: change, or another
        {notes.some(({ kind }) => kind === 'machine') ? ' machine' : ' source'}.
        {runs.failedCount > 0 && ` Cross: failed (${counted(runs.failedCount, 'run')}).`}
        {lookedThrough !== undefined && ` Failures and machines: of the newest ${lookedThrough} runs.`}
        {runs.failedCount > runs.failed.length && ` The newest ${runs.failed.length} of them are drawn.`} Drag
        to zoom, double click for everything; click goes to the run, with shift it is chosen for a comparison.
      </p>
    </>
  );
}

function SearchField() {
  const [search] = useParameter('search');
  const [text, setText] = useState(search ?? '');
  useEffect(() => {
    if (text === (search ?? '')) return;
    const timer = setTimeout(() => setParameters({ search: text, first: undefined }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => setText(search ?? ''), [search]);
  return (
    <label>
      values whose name has
      <input
        type="search"
        value={text}
        placeholder="part of the name"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  /** Values in the address, '' for the usual one, with what they are called. */
  readonly options: Readonly<Record<string, string>>;
}

function Choice({ name, label, options }: ChoiceProps) {
  const [value = ''] = useParameter(name);
  return (
    <label>
      {label}
      <select
        value={value in options ? value : ''}
        onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}
      >
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function DetailsBox({ count }: { readonly count: number }) {
  const [details] = useParameter('details');
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={details === '1'}
        onChange={({ currentTarget }) =>
          setParameters({ details: currentTarget.checked ? '1' : undefined, first: undefined })
        }
      />{' '}
      {counted(count, 'value')} below "detailed" (spreads, counts)
    </label>
  );
}

/** Which of the values are shown, how many are not, and the way to them. */
function HistoryPages({ history }: { readonly history: ExperimentHistory }) {
  const { first, perPage, matching, series, count, details, hasMore } = history;
  const [withDetails] = useParameter('details');
  const known = withDetails === '1' ? count + details : count;
  const turn = (to: number) => setParameters({ first: to <= 0 ? undefined : String(to) }, { isStep: true });
  const hidden = known - matching;
  if (matching <= series.length && hidden === 0) return null;
  return (
    <p class="pages">
      {matching > series.length &&
        series.length > 0 &&
        `Values ${first + 1} to ${first + series.length} of ${counted(matching, 'value')}${hasMore ? ' or more' : ''}. `}
      {first > 0 && (
        <button type="button" class="small" onClick={() => turn(first - perPage)}>
          Earlier
        </button>
      )}{' '}
      {first + perPage < matching && (
        <button type="button" class="small" onClick={() => turn(first + perPage)}>
          More
        </button>
      )}{' '}
      {hidden > 0 && (
        <>
          {counted(hidden, 'value')} {hidden === 1 ? 'has' : 'have'} other names:{' '}
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ search: undefined, first: undefined })}
          >
            show all
          </button>
        </>
      )}
    </p>
  );
}
