import { RECENT_RUNS } from '../../../home/core/home-pages.ts';
import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration, formatNumber } from '../../../platform/core/text/numbers.ts';
import { useFileAddress } from '../../../platform/page/data/file-address.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { ComparePick, Fold } from '../../../platform/page/parts/controls.tsx';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { localText, Minute } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ExperimentView, RecentRun } from '../../app/read-experiment.ts';
import { commitsText } from './chart-data.ts';

const SHOWN = 15;

/** The last runs as a strip and a table, with the raw data of each. */
export function RecentRuns({ view }: { readonly view: ExperimentView }) {
  const { name, recent } = view;
  const older = recent.slice(SHOWN);
  return (
    <section>
      <h2>Runs and raw data</h2>
      {recent.length === 0 ? (
        <p class="quiet">None of the last runs had it.</p>
      ) : (
        <>
          <RunStrip recent={recent} />
          <RunTable name={name} recent={recent.slice(0, SHOWN)} />
          {older.length > 0 && (
            <Fold name="earlier" summary={counted(older.length, 'earlier run')}>
              <RunTable name={name} recent={older} />
            </Fold>
          )}
        </>
      )}
      {recent.length >= RECENT_RUNS && (
        <p class="quiet">
          These are the newest {RECENT_RUNS}.{' '}
          <Link to={`/runs?text=${encodeURIComponent(name)}`}>All runs of it</Link>
        </p>
      )}
      <Downloads name={name} />
    </section>
  );
}

/** Oldest first; the height is the duration, the style the outcome. */
function RunStrip({ recent }: { readonly recent: readonly RecentRun[] }) {
  const longest = Math.max(1, ...recent.map(({ durationMs = 0 }) => durationMs));
  return (
    <div class="run-strip">
      {recent.toReversed().map((run) => {
        const took = run.durationMs === undefined ? '' : `, took ${formatDuration(run.durationMs)}`;
        const text = `${runLabel(run)}${run.state === 'succeeded' ? ', succeeded' : ''}${took}`;
        const height = `${20 + (80 * (run.durationMs ?? 0)) / longest}%`;
        return (
          <Link key={run.runId} to={`/runs/${encodeURIComponent(run.runId)}`} title={text} aria-label={text}>
            <span class={run.state} style={{ height }}>
              {run.state === 'failed' ? '✕' : ''}
            </span>
          </Link>
        );
      })}
    </div>
  );
}

function RunTable({ name, recent }: { readonly name: string; readonly recent: readonly RecentRun[] }) {
  const canCompare = recent.length > 1;
  return (
    <Scroll label="Runs">
      <table class="recent">
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">started</th>
            <th scope="col">state</th>
            <th scope="col" class="number">
              took
            </th>
            <th scope="col">commit</th>
            <th scope="col">data</th>
            <th scope="col">compare</th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {recent.map((run) => (
            <tr key={run.runId}>
              <th scope="row">
                <Link to={`/runs/${encodeURIComponent(run.runId)}`}>{run.label}</Link>
              </th>
              <td>
                <Minute at={run.at} />
              </td>
              <td>
                <State state={run.state} />
              </td>
              <td class="number">{run.durationMs === undefined ? '~' : formatDuration(run.durationMs)}</td>
              <td>
                <code>{commitsText(run.commits)}</code>
              </td>
              <td>{run.data && <DataLink experiment={name} {...run.data} />}</td>
              <td>{canCompare && run.state === 'succeeded' && <ComparePick runId={run.runId} />}</td>
              <td class="message">{shortened(run.message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface DataLinkProps {
  readonly experiment: string;
  readonly file: string;
  readonly size: number;
}

function DataLink({ experiment, file, size }: DataLinkProps) {
  const address = useFileAddress('data', experiment, file);
  const text = `JSON, ${formatNumber(size, 'B')}`;
  return address === undefined ? <span class="quiet">{text}</span> : <a href={address}>{text}</a>;
}

/** Messages can be whole tracebacks: the page of the run has everything. */
function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 120)} …`;
}

function Downloads({ name }: { readonly name: string }) {
  if (!theSource().isLive) return null;
  const address = `/api/experiments/${encodeURIComponent(name)}`;
  return (
    <p>
      All values of all runs: <a href={`${address}/history.csv`}>CSV</a>, with spreads and counts:{' '}
      <a href={`${address}/history.csv?details=1`}>CSV</a>; as the charts have them:{' '}
      <a href={`${address}/history`}>JSON</a>. Older data files are in results/experiments/data.
    </p>
  );
}

/** Two runs, chosen here or by a click with shift in a chart, and the way to their comparison. */
export function CompareChoice({ recent }: { readonly recent: readonly RecentRun[] }) {
  const [base] = useParameter('base');
  const [head] = useParameter('head');
  if (recent.length < 2 && base === undefined) return null;
  const usual = recent[0]?.runId;
  const to = head ?? usual;
  return (
    <section>
      <h2>Compare</h2>
      <div class="controls">
        <RunChoice name="base" label="From" chosen={base} recent={recent} />
        <RunChoice name="head" label="to" chosen={to} recent={recent} />
        {base !== undefined && to !== undefined && base !== to ? (
          <Link to={`/compare/${encodeURIComponent(base)}..${encodeURIComponent(to)}`}>
            Compare these two
          </Link>
        ) : (
          <span class="quiet">Choose two runs, or click with shift on two dots.</span>
        )}
        {(base !== undefined || head !== undefined) && (
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ base: undefined, head: undefined })}
          >
            reset
          </button>
        )}
      </div>
    </section>
  );
}

interface RunChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly recent: readonly RecentRun[];
}

function RunChoice({ name, label, chosen, recent }: RunChoiceProps) {
  const isOther = chosen !== undefined && !recent.some(({ runId }) => runId === chosen);
  return (
    <label>
      {label}
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}
      >
        <option value="">a run …</option>
        {isOther && <option value={chosen}>{chosen}</option>}
        {recent.map((run) => (
          <option key={run.runId} value={run.runId}>
            {runLabel(run)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** "2026-01-31 02:00 6de6d63, failed". */
export function runLabel({ at, commits, state }: RecentRun): string {
  const text = `${localText(at).slice(0, 16)} ${commitsText(commits)}`.trim();
  return state === 'succeeded' ? text : `${text}, ${state}`;
}
