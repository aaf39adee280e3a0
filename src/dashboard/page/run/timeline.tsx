import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { localText, useNow } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter, useZoom } from '../../../platform/page/router/address.ts';
import type { RunView } from '../../app/runs/read-run.ts';
import {
  type Timeline as Rows,
  type TimelineBar,
  type TimelineRow,
  timelineOf,
  timeTicks,
} from './timeline-rows.ts';

/** More rows are one click away. */
const ROWS = 200;

/** Tasks as rows, their stages as bars, and the current time while the run goes on. */
export function Timeline({ view }: { readonly view: RunView }) {
  const isRunning = view.run.state === 'running';
  const now = useNow(isRunning ? 1000 : 3_600_000);
  const timeline = timelineOf(view, now);
  const [zoom, setZoom] = useZoom('stretch');
  const [chosen] = useParameter('task');
  const [shown, setShown] = useParameter('rows');
  if (timeline === undefined) return null;
  const active = timeline.rows.filter(({ trial, bars }) => trial.state !== 'inactive' || bars.length > 0);
  const rows = shown === 'all' ? active : active.slice(0, ROWS);
  const span = zoom ?? timeline.span;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Tasks over time</h2>
      <div class="gantt">
        <Axis span={span} />
        <ol>
          {rows.map((row) => (
            <Row key={row.key} row={row} span={span} isChosen={row.key === chosen} />
          ))}
        </ol>
        {isRunning && now >= span[0] && now <= span[1] && (
          <div class="gantt-room over">
            <span
              class="gantt-now"
              style={{ left: `${share(now, span) * 100}%` }}
              title={`now, ${localText(now)}`}
            />
          </div>
        )}
      </div>
      <Key timeline={timeline} />
      <p class="quiet">
        {zoom && (
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            Show the whole time
          </button>
        )}{' '}
        {active.length > rows.length && (
          <button type="button" class="small" onClick={() => setShown('all')}>
            Show {counted(active.length - rows.length, 'more task')}
          </button>
        )}{' '}
        {timeline.rows.length > active.length &&
          `${counted(timeline.rows.length - active.length, 'inactive task')} not drawn.`}
      </p>
    </section>
  );
}

function Axis({ span }: { readonly span: Rows['span'] }) {
  const isShort = span[1] - span[0] < 600_000;
  const isLong = span[1] - span[0] > 2 * 86_400_000;
  const text = (at: number) =>
    isLong ? localText(at).slice(5, 16) : localText(at).slice(11, isShort ? 19 : 16);
  return (
    <div class="gantt-axis" aria-hidden="true">
      <div class="gantt-room">
        {timeTicks(span, 6).map((at) => (
          <span
            key={at}
            class={`tick ${share(at, span) > 0.92 ? 'left' : ''}`}
            style={{ left: `${share(at, span) * 100}%` }}
          >
            {text(at)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TimelineRow;
  readonly span: Rows['span'];
  readonly isChosen: boolean;
}

function Row({ row: { key, trial, bars }, span, isChosen }: RowProps) {
  const { task, state, title } = trial;
  const choose = () => {
    setParameters({ task: isChosen ? undefined : key });
    // Its details are further down, once they are drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        document.querySelector('details.chosen')?.scrollIntoView({ block: 'nearest' }),
      ),
    );
  };
  return (
    <li class={isChosen ? 'chosen' : ''}>
      <button
        type="button"
        class="plain gantt-name"
        onClick={choose}
        aria-pressed={isChosen}
        aria-label={`${task}, ${state}`}
        title={title === undefined ? task : `${task}: ${title}`}
      >
        <State state={state} word={task} />
      </button>
      <span class="gantt-room">
        {bars.map((bar) => (
          <Bar key={bar.name} bar={bar} span={span} task={task} />
        ))}
        {bars.length === 0 && <span class="gantt-none">{state}</span>}
      </span>
    </li>
  );
}

function Bar({
  bar,
  span,
  task,
}: {
  readonly bar: TimelineBar;
  readonly span: Rows['span'];
  readonly task: string;
}) {
  const { name, state, from, to } = bar;
  if (to < span[0] || from > span[1]) return null;
  const [left, right] = [share(from, span), share(to, span)];
  const verb = state === 'expected' ? 'waiting, took' : state;
  const text = `${task}, ${name}: ${verb} ${formatDuration(to - from)}${state === 'expected' ? ' last time' : ` from ${localText(from)}`}`;
  return (
    <span
      class={`gantt-bar ${state} ${name}`}
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
      role="img"
      aria-label={text}
      title={text}
    >
      {state === 'failed' ? '✕ failed' : right - left > 0.08 && name}
    </span>
  );
}

function Key({ timeline }: { readonly timeline: Rows }) {
  const states = new Set(timeline.rows.flatMap(({ bars }) => bars.map(({ state }) => state)));
  const legend = [
    ['succeeded', 'a stage that succeeded'],
    ['failed', '✕ a stage that failed'],
    ['running', 'running'],
    ['expected', 'waits: as long as it took last time'],
  ] as const;
  return (
    <p class="gantt-key">
      {legend.map(
        ([state, text]) =>
          states.has(state) && (
            <span key={state}>
              <span class={`gantt-bar ${state}`} aria-hidden="true" /> {text}
            </span>
          ),
      )}
    </p>
  );
}

function share(at: number, [from, to]: Rows['span']): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}
