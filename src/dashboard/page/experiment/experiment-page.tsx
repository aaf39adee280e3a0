import type { ComponentChildren } from 'preact';
import { exitText } from '../../../executors/page/exit-text.ts';
import type { Summary } from '../../../home/app/result-files.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { lacksDirection } from '../../../home/core/changes/direction.ts';
import { State } from '../../../home/page/state.tsx';
import { fewRunsText, pathText, Shift } from '../../../judge/page/change-parts.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { useFileAddress } from '../../../platform/page/data/file-address.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { ChatText } from '../../../platform/page/parts/chat-text.tsx';
import { Image } from '../../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age, Day, Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { ExperimentView, NewestTrial } from '../../app/read-experiment.ts';
import { commitsText } from './chart-data.ts';
import { HistorySection } from './history-section.tsx';
import { CompareChoice, RecentRuns } from './recent-runs.tsx';
import { StageSection } from './stage-section.tsx';

/** Its state, every value with its history, the summary of its scripts, its stages, its runs. */
export function ExperimentPage({ parameters }: { readonly parameters: RouteParameters }) {
  const name = parameters['name'] ?? '';
  const loaded = useDocument(documentRef<ExperimentView>(['experiments', name], { topic: 'runs' }));
  const path = `experiments/${encodeURIComponent(name)}`;
  const { value: view } = loaded;
  const { title } = view ?? {};
  const heading = (
    <>
      {visible(name)} {title !== undefined && title !== name && <span class="quiet">{visible(title)}</span>}
    </>
  );
  return (
    <PageFrame
      title={visible(name)}
      heading={heading}
      {...(view && { lead: <Standing view={view} />, json: path, csv: `${path}/history.csv` })}
    >
      <Show loaded={loaded}>
        {(shown) => (
          <>
            <StandingDetails view={shown} />
            <SummaryText summary={shown.summary} />
            <HistorySection name={name} />
            <CompareChoice recent={shown.recent} />
            <Pictures view={shown} />
            <StageSection view={shown} />
            <RecentRuns view={shown} />
          </>
        )}
      </Show>
    </PageFrame>
  );
}

function SummaryText({ summary }: { readonly summary: Summary }) {
  if (summary.state === 'missing') return null;
  if (summary.state === 'unusable')
    return <p class="quiet">Its summary.json cannot be shown: {summary.reason}.</p>;
  return (
    <section>
      <h2>{summary.title ? <ChatText text={summary.title} /> : 'Summary'}</h2>
      <p class="summary">
        <ChatText text={summary.text} />
      </p>
    </section>
  );
}

/** The outcome of the newest run, and what has changed. */
export function Standing({ view }: { readonly view: ExperimentView }) {
  const { newest } = view;
  return (
    <>
      <ChangeSentence view={view} /> {newest ? <Ended newest={newest} /> : 'It was in none of the last runs.'}
    </>
  );
}

/** The message of the newest trial, and series without new values. */
export function StandingDetails({ view: { newest, absences } }: { readonly view: ExperimentView }) {
  return (
    <>
      {newest && newest.trial.message !== '' && <p class="message">{newest.trial.message}</p>}
      {absences.length > 0 && (
        <ul class="absences">
          {absences.slice(0, ABSENCES).map((absence) => (
            <li key={JSON.stringify(absence.series)}>
              <State state="missing" word="no new values" />: {absentName(absence.series)}, last seen{' '}
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
  const [worse, better, unknown] = [of('worse'), of('better'), of('unknown').filter(lacksDirection)];
  const parts: ComponentChildren[] = [];
  const add = (found: readonly FollowedChange[], text: string) => {
    const [largest] = found;
    if (largest)
      parts.push(<LargestChange text={text} change={largest} count={found.length} commits={commits} />);
  };
  add(worse, counted(worse.length, 'open regression'));
  add(unknown, counted(unknown.length, 'change of unknown direction', 'changes of unknown direction'));
  add(better, counted(better.length, 'improvement'));
  if (parts.length === 0) return <>{fewRunsText(measured(recent), 'run') ?? 'No open change.'}</>;
  return <>{parts}</>;
}

/** Failed runs have no values to compare. */
function measured(recent: ExperimentView['recent']): number {
  return recent.filter(({ state }) => state === 'succeeded').length;
}

interface LargestChangeProps {
  readonly text: string;
  readonly change: FollowedChange;
  readonly count: number;
  readonly commits: ExperimentView['commits'];
}

function LargestChange({ text, change, count, commits }: LargestChangeProps) {
  const { series, id, at, runId, isProvisional } = change;
  const commit = commitsText(commits[runId] ?? {});
  return (
    <span>
      <strong>{text}</strong>: {count > 1 && 'the largest is '}
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

/** The graphs of the last night, as the visualize stage drew them. */
export function Pictures({ view: { name, graphs } }: { readonly view: ExperimentView }) {
  if (graphs.files.length === 0) return null;
  return (
    <section>
      <h2>Graphs of its scripts</h2>
      <div class="pictures">
        {graphs.files.map((file) => (
          <Picture key={file} experiment={name} file={file} />
        ))}
      </div>
      {graphs.isCut && (
        <p class="quiet">
          There are more pictures in results/experiments/graph; the first {graphs.files.length} are shown.
        </p>
      )}
    </section>
  );
}

function Picture({ experiment, file }: { readonly experiment: string; readonly file: string }) {
  const address = useFileAddress('graph', experiment, file);
  if (address === undefined) return <span class="quiet">{file} is not part of this copy.</span>;
  return (
    <a href={address}>
      <Image address={address} name={file} />
      <span class="quiet">{file}</span>
    </a>
  );
}
