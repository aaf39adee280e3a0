import { setParameters } from '../../platform/page/router/address.ts';
import type { CurvesView } from '../app/curves-view.ts';
import { BANDS, bandOf } from './curve-series.ts';
import { SCORES } from './score-table.tsx';

interface CurveControlsProps {
  readonly view: CurvesView;
  readonly choice: CurvesChoice;
}

/** How the curves are drawn; all of it is in the address. */
export function CurveControls({ view, choice }: CurveControlsProps) {
  return (
    <div class="controls">
      <Choice
        name="band"
        label="line and band"
        value={choice.band.kind}
        options={BANDS.map((one) => [one.kind, one.title])}
      />
      <Choice name="score" label="table of" value={choice.score} options={SCORES} />
      {view.tasks.length > 1 && (
        <Choice
          name="task"
          label="task"
          value={choice.task ?? ''}
          options={[['', 'all'], ...same(view.tasks)]}
        />
      )}
      <Choice
        name="y"
        label="y axis"
        value={choice.y ?? ''}
        options={[['', 'the usual: return'], ...same(view.yNames)]}
      />
      <Choice
        name="x"
        label="x axis"
        value={choice.x ?? ''}
        options={[['', 'the usual: steps'], ...same(view.xNames)]}
      />
      <label class="check">
        <span>
          <input
            type="checkbox"
            checked={choice.withSeeds}
            onChange={({ currentTarget }) =>
              setParameters({ seeds: currentTarget.checked ? '1' : undefined })
            }
          />{' '}
          single seeds
        </span>
      </label>
    </div>
  );
}

type Options = readonly (readonly [value: string, title: string])[];

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: Options;
}

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value, zoom: undefined })}
      >
        {options.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function same(names: readonly string[]): Options {
  return names.map((name) => [name, name]);
}

export function readChoice(query: URLSearchParams, { tasks }: CurvesView) {
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

/** Charts that are drawn before "show all". */
const FIRST_TASKS = 12;
