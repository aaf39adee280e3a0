import { logAddress } from '../../../home/page/stage-table.tsx';
import { State } from '../../../home/page/state.tsx';
import { nameText, sidesText } from '../../../judge/core/explain/explanation-text.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age, Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { RunView } from '../../app/runs/read-run.ts';
import { Environment } from './environment.tsx';
import { RunFileList } from './run-file-list.tsx';
import { RunTelemetry } from './run-telemetry.tsx';
import { StageList, TaskList } from './task-list.tsx';
import { Timeline } from './timeline.tsx';

/** One run: how it went, every stage of every task in time, what it left, and what it needs to be repeated. */
export function RunPage({ parameters: { id = '' } }: { readonly parameters: RouteParameters }) {
  const loaded = useDocument(documentRef<RunView>(['runs', id], { topic: 'runs' }));
  const path = `runs/${encodeURIComponent(id)}`;
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (
        <PageFrame
          title={`${view.run.kind} ${view.run.label}`}
          heading={runHeading(view)}
          lead={<RunLead view={view} />}
          json={path}
          csv={`${path}/stages.csv`}
        >
          <div class="run-page">
            <Warnings texts={view.run.warnings} />
            <Timeline view={view} />
            <RunTelemetry view={view} />
            <TaskList view={view} />
            <StageList view={view} />
            <SinceBeforeSection view={view} />
            <RunFileList id={id} />
            <Environment view={view} />
          </div>
        </PageFrame>
      )}
    </Show>
  );
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {texts.map((text) => (
          <li key={text} class="message">
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The outcome in a sentence. */
export function runHeading({ run, experiments, subsystems, tasks }: RunView): string {
  const { kind, label, state, startedAt, endedAt } = run;
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${label}`;
  if (state === 'running') {
    const total = experiments.total + subsystems.total;
    const done = total - experiments.unfinished - subsystems.unfinished;
    const failed = experiments.failed + subsystems.failed;
    return `${name} is running: ${done} of ${counted(total, 'task')} done${failed > 0 ? `, ${failed} failed` : ''}`;
  }
  if (tasks.length === 0) return `${name}: it has no tasks`;
  const durationMs = endedAt === undefined ? undefined : endedAt - startedAt;
  return `${name}: ${describeNight(experiments, subsystems, durationMs)}`;
}

/** When it was, what runs now, and links to related pages. */
export function RunLead({ view }: { readonly view: RunView }) {
  const { run, resumedAt, sinceBefore } = view;
  const { state, startedAt, origin, kind, id } = run;
  return (
    <>
      <State state={state} />, started <Age at={startedAt} />
      {resumedAt.length > 0 && (
        <>
          , resumed{' '}
          {resumedAt.length > 1 ? (
            counted(resumedAt.length, 'time')
          ) : (
            <Minute at={resumedAt[0] ?? startedAt} />
          )}
        </>
      )}
      {origin !== 'measured' && (
        <>
          , <strong>{origin} data</strong>, not measured here
        </>
      )}
      <AtWork view={view} />
      {state === 'interrupted' && (
        <>
          . <code>nightmark run --resume</code> completes it
        </>
      )}
      . {kind === 'duet' && <Link to={`/duets/${encodeURIComponent(id)}`}>The duet: ratios and verdict</Link>}
      {kind === 'matrix' && <Link to="/matrix">The matrix: all combinations</Link>}{' '}
      {sinceBefore && (
        <span class="quiet">
          The {kind} before:{' '}
          <Link to={`/runs/${encodeURIComponent(sinceBefore.run.id)}`}>{sinceBefore.run.label}</Link>,{' '}
          <Link to={`/compare/${encodeURIComponent(sinceBefore.run.id)}..${encodeURIComponent(id)}`}>
            compare both
          </Link>
        </span>
      )}
    </>
  );
}

function AtWork({ view: { run, tasks, lastSignAt } }: { readonly view: RunView }) {
  const task = tasks.find(({ atWork }) => atWork !== undefined);
  const { atWork, trial } = task ?? {};
  return (
    <>
      {atWork && trial && (
        <>
          . Running:{' '}
          <strong>
            <bdi>{trial.task}</bdi>
          </strong>
          {atWork.stage !== undefined && (
            <>
              , <Link to={logAddress(run.id, { ...trial, stage: atWork.stage })}>{atWork.stage} stage</Link>
            </>
          )}
          , started <Age at={atWork.startedAt} />
        </>
      )}
      {lastSignAt !== undefined && (
        <>
          , last activity <Age at={lastSignAt} />
        </>
      )}
    </>
  );
}

/** Machine and commits compared with the previous run of the same kind: only what differs, the rest counted. */
export function SinceBeforeSection({ view: { run, sinceBefore } }: { readonly view: RunView }) {
  if (sinceBefore === undefined) return null;
  const { facts, unchanged, unknown, added, removed, run: before } = sinceBefore;
  const isSame = facts.length + added.length + removed.length === 0;
  return (
    <section aria-labelledby="since-before">
      <h2 id="since-before">
        What differs from <Link to={`/runs/${encodeURIComponent(before.id)}`}>{before.label}</Link>
      </h2>
      {isSame && (
        <p class="calm">
          Nothing that is known: the same machine, commits and tasks as in the {run.kind} before.
        </p>
      )}
      {facts.length > 0 && (
        <Scroll label="Facts that differ">
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">fact</th>
                <th scope="col">before</th>
                <th scope="col">in this run</th>
              </tr>
            </thead>
            <tbody>
              {facts.map((fact) => {
                const { before: old, after } = sidesText(fact);
                return (
                  <tr key={`${fact.group} ${fact.name}`}>
                    <th scope="row">{nameText(fact)}</th>
                    <td>{old}</td>
                    <td>{after}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
      <Names title="New tasks" names={added} />
      <Names title="Tasks that are gone" names={removed} />
      <p class="quiet">
        {counted(unchanged, 'fact')} the same
        {unknown > 0 && `, ${counted(unknown, 'fact')} recorded on one side only`}.
      </p>
    </section>
  );
}

const NAMES = 20;

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {title}: <bdi>{names.slice(0, NAMES).join(', ')}</bdi>
      {names.length > NAMES && ` and ${names.length - NAMES} more`}
    </p>
  );
}
