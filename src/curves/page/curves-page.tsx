import { useMemo } from 'preact/hooks';
import { hueToken } from '../../charts/page/colours.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Age } from '../../platform/page/parts/time.tsx';
import { setParameters, useAddress } from '../../platform/page/router/address.ts';
import type { CurvesView } from '../app/curves-view.ts';
import { CurveControls, readChoice } from './curve-controls.tsx';
import { algorithmHues } from './curve-series.ts';
import { SCORES, ScoreTable } from './score-table.tsx';
import { TaskCurves, useTaskData } from './task-curves.tsx';

const CURVES = documentRef<CurvesView>(['curves'], { topic: 'runs' });

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
  const hue = useMemo(() => algorithmHues(view.algorithms), [view]);
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
      <p class="quiet">Each line is {band.caption}. Dashed: a baseline.</p>
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

interface LegendProps {
  readonly algorithms: CurvesView['algorithms'];
  readonly hue: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (algorithm: string) => void;
}

/** One button for each algorithm: shows and hides its lines in all charts. */
export function Legend({ algorithms, hue, hidden, onToggle }: LegendProps) {
  return (
    <fieldset class="legend chips">
      <legend class="quiet">algorithms</legend>
      {algorithms.map(({ name, isBaseline }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={!hidden.has(name)}
          onClick={() => onToggle(name)}
        >
          <svg width="22" height="8" aria-hidden="true">
            <line
              x1="0"
              x2="22"
              y1="4"
              y2="4"
              stroke-width="2"
              stroke-dasharray={isBaseline ? '7 4' : undefined}
              style={{ stroke: `var(${hueToken(hue.get(name) ?? 99)})` }}
            />
          </svg>{' '}
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** Where curves come from. */
export function EmptyCurves({ view }: { readonly view: CurvesView }) {
  return (
    <PageFrame title="Learning curves" heading="No learning curves yet" json="curves">
      <Empty>
        Here you will see the mean over seeds with its band, for each task and algorithm. They come from files
        below <code>results</code>: <code>progress.csv</code> in a folder for each seed, such as{' '}
        <code>results/experiments/data/rl/ppo_HalfCheetah-v2_1/progress.csv</code>, or{' '}
        <code>progress.json</code> and <code>auto/TASK_ALGORITHM.json</code> of Garage; and from fields of
        workloads that are a <code>curve</code>. The same files below <code>baselines</code> are what they are
        compared with.
      </Empty>
      <LeftOut view={view} />
    </PageFrame>
  );
}

/** What is there and not shown, counted. */
export function LeftOut({ view: { older, unreadable, isCut } }: { readonly view: CurvesView }) {
  return (
    <>
      {older > 0 && (
        <p class="quiet">
          {counted(older, 'curve')} of earlier runs of the same {older === 1 ? 'pair is' : 'pairs are'} not
          shown: the newest counts.
        </p>
      )}
      {isCut && <p class="quiet">There are more files than were read: the rest is left out.</p>}
      {unreadable.length > 0 && (
        <Fold name="unreadable" summary={<>{counted(unreadable.length, 'file')} without a curve</>}>
          <ul class="left-out">
            {unreadable.map(({ path, problem }) => (
              <li key={path}>
                <code>{path}</code>: {problem}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}
