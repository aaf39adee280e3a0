import type { ComponentChildren } from 'preact';
import { exitText } from '../../../executors/page/exit-text.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { State } from '../../../home/page/state.tsx';
import { fewRunsText, pathText, Shift } from '../../../judge/page/change-parts.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { Age, Day, Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ExperimentView, NewestTrial } from '../../app/read-experiment.ts';
import { commitsText } from './chart-axis.ts';

/** What the newest night says: how it ended, and what has changed. */
export function Standing({ view }: { readonly view: ExperimentView }) {
  const { newest } = view;
  return (
    <>
      <ChangeSentence view={view} /> {newest ? <Ended newest={newest} /> : 'It was in none of the last runs.'}
    </>
  );
}

/** What the scripts said, and what stopped coming. */
export function StandingDetails({ view: { newest, absences } }: { readonly view: ExperimentView }) {
  return (
    <>
      {newest && newest.trial.message !== '' && <p class="message">{newest.trial.message}</p>}
      {absences.length > 0 && (
        <ul class="absences">
          {absences.slice(0, ABSENCES).map((absence) => (
            <li key={JSON.stringify(absence.series)}>
              <State state="missing" word="stopped coming" />: {absentName(absence.series)}, last seen{' '}
              <Minute at={absence.lastAt} />
            </li>
          ))}
          {absences.length > ABSENCES && <li>and {counted(absences.length - ABSENCES, 'more', 'more')}</li>}
        </ul>
      )}
    </>
  );
}

const ABSENCES = 8;

function absentName(series: ExperimentView['absences'][number]['series']): string {
  return series.kind === 'value' ? pathText(series.path) : 'the whole experiment';
}

function Ended({ newest: { run, trial, stages, machine } }: { readonly newest: NewestTrial }) {
  const failed = stages.find(({ success }) => !success);
  const how = failed ? exitText(failed.exit) : '';
  const commits = Object.entries(trial.commits);
  return (
    <>
      <Link to={`/runs/${encodeURIComponent(run.id)}`}>Newest run</Link>: <State state={trial.state} />
      {trial.failedStage && ` in stage ${trial.failedStage}`}
      {how !== '' && ` (${how})`}, <Age at={run.startedAt} />
      {trial.durationMs !== undefined && `, took ${formatDuration(trial.durationMs)}`}
      {commits.map(([source, commit]) => (
        <span key={source}>
          , {source} <code>{commit}</code>
        </span>
      ))}
      {machine && (
        <>
          , on <Link to={`/machines/${encodeURIComponent(machine.id)}`}>{machine.name}</Link>
        </>
      )}
      {run.origin !== 'measured' && `, ${run.origin}`}.
    </>
  );
}

/** "1 open regression: cpu / A ▲ +19.8 % worse since 6de6d63 (2026-01-31)." */
function ChangeSentence({ view: { changes, commits, recent } }: { readonly view: ExperimentView }) {
  const of = (direction: FollowedChange['direction']) =>
    changes.filter((change) => change.direction === direction);
  const [worse, better, unknown] = [of('worse'), of('better'), of('unknown')];
  const parts: ComponentChildren[] = [];
  const tell = (found: readonly FollowedChange[], words: string) => {
    const [largest] = found;
    if (largest) parts.push(<Told words={words} change={largest} count={found.length} commits={commits} />);
  };
  tell(worse, counted(worse.length, 'open regression'));
  tell(unknown, counted(unknown.length, 'change of unknown direction', 'changes of unknown direction'));
  tell(better, counted(better.length, 'improvement'));
  if (parts.length === 0) return <>{fewRunsText(measured(recent), 'run') ?? 'No open change.'}</>;
  return <>{parts}</>;
}

/** Runs that failed brought nothing to compare. */
function measured(recent: ExperimentView['recent']): number {
  return recent.filter(({ state }) => state === 'succeeded').length;
}

interface ToldProps {
  readonly words: string;
  readonly change: FollowedChange;
  readonly count: number;
  readonly commits: ExperimentView['commits'];
}

function Told({ words, change, count, commits }: ToldProps) {
  const { series, id, at, runId, isProvisional } = change;
  const commit = commitsText(commits[runId] ?? {});
  return (
    <span>
      <strong>{words}</strong>: {count > 1 && 'the largest is '}
      {series.kind === 'value' && <span class="path">{pathText(series.path)}</span>}{' '}
      <Link to={`/changes/${encodeURIComponent(id)}`}>
        <Shift change={change} />
      </Link>{' '}
      since{' '}
      {commit !== '' && (
        <>
          <code>{commit}</code>,{' '}
        </>
      )}
      <Day at={at} />
      {isProvisional && ', provisional'}.{' '}
    </span>
  );
}
