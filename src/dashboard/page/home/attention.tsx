import type { ComponentChildren } from 'preact';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { State } from '../../../home/page/state.tsx';
import { AbsenceLine, fewRunsText, SeriesName, Shift } from '../../../judge/page/change-parts.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { HomeTask, HomeView } from '../../app/home/home-view.ts';

/** More than fit on a screen are counted, and one click away. */
const LINES = 12;

/** What needs attention: failures, missing experiments and series, and changes that are not reviewed yet. */
export function Attention({ view }: { readonly view: HomeView }) {
  const [isAll, setAll] = useParameter('attention');
  const { experiments, subsystems, changes, changeCount, absences, absenceCount } = view;
  const tasks = [...experiments, ...subsystems];
  const lines: ComponentChildren[] = [
    ...tasks.filter(({ state }) => state === 'failed').map((task) => <FailedLine task={task} />),
    ...experiments.filter(({ state }) => state === 'missing').map((task) => <MissingLine task={task} />),
    ...changes.map((change) => <ChangeLine change={change} />),
    ...absences.map((absence) => <AbsenceLine absence={absence} />),
  ];
  const all = lines.length + (changeCount - changes.length) + (absenceCount - absences.length);
  const few = fewRunsText(view.nights.length, view.last?.kind === 'night' ? 'night' : 'run');
  if (all === 0) {
    return (
      <p class="calm">
        Nothing needs attention: no failure, nothing missing
        {few === undefined ? ', no open change for the worse. ' : '. '}
        {few ?? <Link to="/changes">All changes</Link>}
      </p>
    );
  }
  const shown = isAll === 'all' ? lines : lines.slice(0, LINES);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul class="attention">
        {shown.map((line, place) => (
          <li key={place}>{line}</li>
        ))}
      </ul>
      {few !== undefined && <p class="quiet">{few}</p>}
      {all > shown.length && (
        <p class="quiet">
          {lines.length > shown.length && (
            <button type="button" class="plain link" onClick={() => setAll('all')}>
              Show {counted(lines.length - shown.length, 'more line')}
            </button>
          )}{' '}
          {all > lines.length && (
            <Link to="/changes?open=1">{counted(all - lines.length, 'further open change')}</Link>
          )}
        </p>
      )}
    </section>
  );
}

function ChangeLine({ change }: { readonly change: FollowedChange }) {
  const { id, series, unit, before, after, at, moved, isProvisional, duet, explanation } = change;
  return (
    <>
      <Shift change={change} /> <SeriesName series={series} />
      {': '}
      {moved === undefined ? (
        <>
          <Quantity value={before} unit={unit} /> → <Quantity value={after} unit={unit} />
        </>
      ) : (
        `${moved} measurements moved together`
      )}{' '}
      since <Day at={at} />
      {isProvisional && <strong>, provisional</strong>}
      {duet?.state === 'confirmed' && ', confirmed by a duet'}{' '}
      <Link to={`/changes/${encodeURIComponent(id)}`}>{id}</Link>
      {explanation !== undefined && explanation !== '' && (
        <div class="quiet why">{explanation.slice(0, 300)}</div>
      )}
    </>
  );
}

function FailedLine({ task }: { readonly task: HomeTask }) {
  const { name, kind, runId, failedStage, message } = task;
  const run = `/runs/${encodeURIComponent(runId)}`;
  // A precheck checks files and starts nothing: there is no log of it.
  const hasLog = failedStage !== undefined && failedStage !== 'precheck';
  const log = `${run}/logs/${kind}/${encodeURIComponent(name)}/${failedStage}`;
  return (
    <>
      <State state="failed" /> {kind === 'experiment' ? <ExperimentLink name={name} /> : name}
      {failedStage === undefined ? ': no stage named' : `: ${failedStage} stage`}{' '}
      <Link to={hasLog ? log : run}>{hasLog ? 'log' : 'run'}</Link>
      {message !== undefined && message !== '' && <div class="quiet message">{message}</div>}
    </>
  );
}

function MissingLine({ task: { name, runId } }: { readonly task: HomeTask }) {
  return (
    <>
      <State state="missing" /> <ExperimentLink name={name} />: was not part of the last night; last seen in{' '}
      <Link to={`/runs/${encodeURIComponent(runId)}`}>{runId}</Link>
    </>
  );
}

function ExperimentLink({ name }: { readonly name: string }) {
  return <Link to={`/experiments/${encodeURIComponent(name)}`}>{name}</Link>;
}
