import { useMemo } from 'preact/hooks';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Age } from '../../platform/page/parts/time.tsx';
import { setParameters, useAddress } from '../../platform/page/router/address.ts';
import type { CurvesView } from '../app/curves-view.ts';
import { CurveControls } from './curve-controls.tsx';
import { bandOf, hues } from './curve-look.ts';
import { EmptyCurves } from './empty-curves.tsx';
import { LeftOut } from './left-out.tsx';
import { Legend } from './legend.tsx';
import { SCORES, ScoreTable } from './score-table.tsx';
import { TaskCurves } from './task-curves.tsx';
import { useTaskData } from './use-task-data.ts';

const CURVES = documentRef<CurvesView>(['curves'], { topic: 'runs' });
/** Charts that are drawn before somebody asks for all. */
const FIRST_TASKS = 12;

/** Learning curves: every task with all algorithms that learned it, then what they came to. */
export function CurvesPage() {
  const loaded = useDocument(CURVES);
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (view.tasks.length === 0 ? <EmptyCurves view={view} /> : <Curves view={view} />)}
    </Show>
  );
}

function Curves({ view }: { readonly view: CurvesView }) {
  const { query } = useAddress();
  const text = query.toString();
  const choice = useMemo(() => readChoice(query, view), [text, view]);
  const { tasks, hidden, band, score, more } = choice;
  const data = useTaskData(tasks, choice, view);
  const hue = useMemo(() => hues(view.algorithms), [view]);
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setParameters({ hide: [...next] });
  };
  return (
    <PageFrame
      title="Learning curves"
      heading={headline(view)}
      lead={<Lead view={view} />}
      json="curves"
      csv="curves/scores.csv"
    >
      <Legend algorithms={view.algorithms} hue={hue} hidden={hidden} onToggle={toggle} />
      <p class="quiet">Each line is {band.words}. Dashed: a baseline.</p>
      <div class="charts curves">
        {tasks.map((task) => (
          <TaskCurves
            key={task}
            task={task}
            data={data.get(task)}
            notRun={notRun(view, task).filter((name) => !hidden.has(name))}
            hidden={hidden}
            hue={hue}
            band={band.kind}
          />
        ))}
      </div>
      {more > 0 && (
        <p>
          {counted(more, 'more task')}{' '}
          <button type="button" onClick={() => setParameters({ tasks: 'all' })}>
            show all
          </button>
        </p>
      )}
      <CurveControls view={view} choice={choice} />
      <h2>What they came to: {SCORES.find(([key]) => key === score)?.[1]}</h2>
      <ScoreTable view={view} tasks={tasks} data={data} score={score} band={band.kind} hidden={hidden} />
      <LeftOut view={view} />
    </PageFrame>
  );
}

function readChoice(query: URLSearchParams, { tasks }: CurvesView) {
  const task = query.get('task');
  const wanted = task !== null && tasks.includes(task) ? [task] : tasks;
  const shown = query.get('tasks') === 'all' ? wanted : wanted.slice(0, FIRST_TASKS);
  const [score = SCORES[0]] = SCORES.filter(([key]) => key === query.get('score'));
  return {
    tasks: shown,
    more: wanted.length - shown.length,
    task: wanted.length === 1 ? (task ?? undefined) : undefined,
    hidden: new Set(query.getAll('hide')),
    band: bandOf(query.get('band') ?? undefined),
    score: score[0],
    x: query.get('x') ?? undefined,
    y: query.get('y') ?? undefined,
    withSeeds: query.get('seeds') === '1',
  };
}

export type CurvesChoice = ReturnType<typeof readChoice>;

function headline({ algorithms, tasks }: CurvesView): string {
  const baselines = algorithms.filter(({ isBaseline }) => isBaseline).length;
  const against = baselines > 0 ? `, against ${counted(baselines, 'baseline')}` : '';
  return `${counted(algorithms.length - baselines, 'algorithm')} on ${counted(tasks.length, 'task')}${against}`;
}

function Lead({ view }: { readonly view: CurvesView }) {
  const { cells, tasks } = view;
  const curves = cells.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const missing = tasks.reduce((sum, task) => sum + notRun(view, task).length, 0);
  const commits = [
    ...new Set(cells.flatMap(({ commit }) => (commit === undefined ? [] : [commit.slice(0, 12)]))),
  ];
  return (
    <span class="quiet">
      {counted(curves, 'curve')}, the newest written <Age at={Math.max(...cells.map(({ at }) => at))} />
      {missing > 0 && `, ${counted(missing, 'pair')} not run`}
      {commits.length === 1 && `, commit ${commits[0]}`}
      {commits.length > 1 && `, ${commits.length} commits`}
      {commits.some((one) => one.endsWith('-dirty')) && ' with changes that are in no commit'}
    </span>
  );
}

function notRun({ algorithms, cells }: CurvesView, task: string): readonly string[] {
  const ran = new Set(cells.flatMap((cell) => (cell.task === task ? [cell.algorithm] : [])));
  // A baseline that nobody stored is nothing that should have run.
  return algorithms.flatMap(({ name, isBaseline }) => (ran.has(name) || isBaseline ? [] : [name]));
}
