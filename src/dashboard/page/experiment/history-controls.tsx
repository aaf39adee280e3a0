import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import type { ExperimentHistory } from '../../app/read-history.ts';
import type { Zoom } from './chart-axis.ts';

interface HistoryControlsProps {
  readonly history: ExperimentHistory;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** Typing is not disturbed by a request for each letter. */
const PAUSE_MS = 250;

/** Which values, on which axes, and which stretch of their history. */
export function HistoryControls({ history, zoom, onZoom }: HistoryControlsProps) {
  const { count, details, runs, notes, lookedThrough, stretches } = history;
  return (
    <>
      <div class="controls">
        {(count + details > 1 || history.matching !== count) && <SearchField />}
        <Choice name="axis" label="axis" options={{ '': 'time', commit: 'runs, by commit' }} />
        <Choice name="scale" label="scale" options={{ '': 'linear', log: 'powers (log)' }} />
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
        placeholder="words of the name"
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
