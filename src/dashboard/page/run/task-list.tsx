import { useState } from 'preact/hooks';
import { exitText } from '../../../executors/page/exit-text.ts';
import type { StageResult } from '../../../home/core/run.ts';
import { logAddress, StageTable } from '../../../home/page/stage-table.tsx';
import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { goTo, setParameters, useParameter, useParameters } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { PointList, RunView, TaskView } from '../../app/runs/read-run.ts';
import { taskKey } from './timeline-rows.ts';

/** More are one click away. */
const TASKS = 200;

/** Every task: failed, running and chosen ones are open. */
export function TaskList({ view }: { readonly view: RunView }) {
  const { run, tasks } = view;
  const [chosen] = useParameter('task');
  const [rows, setRows] = useParameter('rows');
  if (tasks.length === 0) return <p class="calm">This run has no tasks yet.</p>;
  const place = (task: TaskView) => (isOpenAtOnce(task) || taskKey(task.trial) === chosen ? 0 : 1);
  const shown = rows === 'all' ? tasks : tasks.toSorted((a, b) => place(a) - place(b)).slice(0, TASKS);
  const inOrder = rows === 'all' || tasks.length <= TASKS ? tasks : shown;
  return (
    <section aria-labelledby="tasks" class="task-list">
      <h2 id="tasks">{counted(tasks.length, 'task')}</h2>
      {inOrder.map((task) => (
        <Task key={taskKey(task.trial)} runId={run.id} task={task} chosen={chosen} />
      ))}
      {tasks.length > shown.length && (
        <p>
          <button type="button" class="small" onClick={() => setRows('all')}>
            Show {counted(tasks.length - shown.length, 'more task')}
          </button>
        </p>
      )}
    </section>
  );
}

function isOpenAtOnce({ trial: { state } }: TaskView): boolean {
  return state === 'failed' || state === 'running';
}

interface TaskProps {
  readonly runId: string;
  readonly task: TaskView;
  readonly chosen: string | undefined;
}

function Task({ runId, task, chosen }: TaskProps) {
  const { trial, stages, points, atWork } = task;
  const key = taskKey(trial);
  const isChosen = key === chosen;
  const shut = useParameters('shut');
  const isAtOnce = isOpenAtOnce(task);
  const isOpen = isChosen || (isAtOnce && !shut.includes(key));
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) => {
    if (open === isOpen) return;
    const others = shut.filter((one) => one !== key);
    if (isAtOnce)
      setParameters({ shut: open ? others : [...others, key], ...(isChosen && { task: undefined }) });
    else setParameters({ task: open ? key : undefined });
  };
  return (
    <details open={isOpen} onToggle={onToggle} class={isChosen ? 'chosen' : ''}>
      <summary>
        <Summary task={task} />
      </summary>
      {isOpen && (
        <div class="inside">
          {trial.message !== '' && !stages.some(({ message }) => message === trial.message) && (
            <p class="message">{withoutSequences(trial.message)}</p>
          )}
          {points && <Points points={points} />}
          {stages.length === 0 && atWork === undefined ? (
            <p class="quiet">{whyNoStage(trial.state)}</p>
          ) : (
            stages.length > 0 && <StageTable runId={runId} stages={stages} />
          )}
          {atWork?.stage !== undefined && (
            <p>
              <State state="running" word={`${atWork.stage} stage running`} />,{' '}
              <Link to={logAddress(runId, { ...trial, stage: atWork.stage })}>its log follows</Link>
            </p>
          )}
          {trial.kind === 'experiment' && (
            <p class="quiet">
              <Link to={`/experiments/${encodeURIComponent(trial.task)}?run=${encodeURIComponent(runId)}`}>
                Its values, graphs and telemetry
              </Link>
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function Summary({ task: { trial, points } }: { readonly task: TaskView }) {
  const { task, title, kind, state, failedStage, durationMs, commits } = trial;
  return (
    <>
      <State state={state} />{' '}
      <strong>
        <bdi>{task}</bdi>
      </strong>{' '}
      {title !== undefined && title !== task && <bdi class="quiet">{title}</bdi>}
      {failedStage !== undefined && ` in stage ${failedStage}`}{' '}
      <span class="quiet">
        {durationMs !== undefined && durationMs > 0 && formatDuration(durationMs)}
        {kind === 'subsystem' && ' subsystem'}
        {points && ` ${counted(points.done, 'point')}`}
        {Object.entries(commits).map(([source, commit]) => (
          <span key={source}>
            {' '}
            {source} <code>{commit}</code>
          </span>
        ))}
      </span>
    </>
  );
}

function Points({ points: { done, failed, failedCount } }: { readonly points: PointList }) {
  return (
    <>
      <p>
        {counted(done, 'point')} of its matrix done,{' '}
        {failedCount === 0 ? 'none failed' : `${failedCount} failed`}.
      </p>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ folder, exitCode, message, durationMs, attempts }) => (
            <li key={folder}>
              <State state="failed" /> <code>{folder}</code> exit {exitCode}, {formatDuration(durationMs)}
              {attempts > 1 && `, ${attempts} attempts`}
              {message !== undefined && <div class="quiet message">{withoutSequences(message)}</div>}
            </li>
          ))}
          {failedCount > failed.length && <li class="quiet">and {failedCount - failed.length} more</li>}
        </ul>
      )}
    </>
  );
}

function whyNoStage(state: TaskView['trial']['state']): string {
  if (state === 'inactive') return 'Inactive: "active" is false in its configuration.';
  if (state === 'waiting') return 'It waits for the tasks before it.';
  if (state === 'skipped') return 'It was not run.';
  return 'No stage was recorded.';
}

/** The timeline as a table: to be sorted, searched and read aloud. */
export function StageList({ view: { run, tasks } }: { readonly view: RunView }) {
  const [table] = useParameter('table');
  const [columns] = useState(() => columnsOf(run.id));
  const stages = tasks.flatMap((task) => task.stages);
  if (stages.length === 0) return null;
  const isOpen = table === 'stages';
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) =>
    open !== isOpen && setParameters({ table: open ? 'stages' : undefined });
  return (
    <details open={isOpen} onToggle={onToggle}>
      <summary>All {counted(stages.length, 'stage')} as a table</summary>
      {isOpen && (
        <DataTable
          caption="Stages of all tasks"
          rows={stages}
          columns={columns}
          rowKey={({ kind, task, stage }) => `${kind} ${task} ${stage}`}
          onOpen={(stage) => stage.log !== undefined && goTo(logAddress(run.id, stage))}
        />
      )}
    </details>
  );
}

function columnsOf(runId: string): readonly Column<StageResult>[] {
  return [
    { ...{ key: 'task', title: 'task' }, sortBy: ({ task }) => task, cell: ({ task }) => task },
    { ...{ key: 'stage', title: 'stage' }, sortBy: ({ stage }) => stage, cell: ({ stage }) => stage },
    {
      ...{ key: 'state', title: 'state' },
      sortBy: ({ success }) => (success ? 'succeeded' : 'failed'),
      cell: ({ success }) => <State state={success ? 'succeeded' : 'failed'} />,
    },
    {
      ...{ key: 'begun', title: 'started' },
      sortBy: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => <Minute at={startedAt} />,
    },
    {
      ...{ key: 'took', title: 'took', isNumber: true },
      sortBy: ({ durationMs }) => durationMs,
      cell: ({ durationMs }) => formatDuration(durationMs),
    },
    {
      ...{ key: 'attempts', title: 'attempts', isNumber: true },
      sortBy: ({ attempts }) => attempts,
      cell: ({ attempts }) => attempts,
    },
    {
      ...{ key: 'log', title: 'log' },
      cell: (stage) => stage.log !== undefined && <Link to={logAddress(runId, stage)}>log</Link>,
    },
    {
      ...{ key: 'message', title: 'message' },
      sortBy: ({ message }) => message || undefined,
      cell: ({ message, exit }) => `${withoutSequences(message)} ${exitText(exit)}`.slice(0, 300),
    },
  ];
}
