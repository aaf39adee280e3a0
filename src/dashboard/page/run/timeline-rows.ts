import type { Trial } from '../../../home/core/run.ts';
import type { RunView, TaskView } from '../../app/runs/read-run.ts';

/** Tasks as rows on one axis of time. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** From the beginning of the run to its end, or to what can be expected of it. Milliseconds since 1970. */
  readonly span: readonly [number, number];
}

export interface TimelineRow {
  /** As the address names it: "experiment/sort". */
  readonly key: string;
  readonly trial: Trial;
  readonly bars: readonly TimelineBar[];
}

export interface TimelineBar {
  /** A stage, or "expected" for a task that waits. */
  readonly name: string;
  readonly state: 'succeeded' | 'failed' | 'running' | 'expected';
  readonly from: number;
  readonly to: number;
}

export function taskKey({ kind, task }: Pick<Trial, 'kind' | 'task'>): string {
  return `${kind}/${task}`;
}

/** Undefined where no stage has a time. */
export function timelineOf(
  view: Pick<RunView, 'run' | 'tasks' | 'sinceBefore'>,
  now: number,
): Timeline | undefined {
  const { run, tasks, sinceBefore } = view;
  const expected = new Map(Object.entries(sinceBefore?.durations ?? {}));
  let cursor = now;
  const rows = tasks.map((task): TimelineRow => {
    const key = taskKey(task.trial);
    const bars = [...stageBars(task), ...runningBar(task, now)];
    const usual = expected.get(key);
    if (task.atWork && usual !== undefined) cursor = Math.max(cursor, (bars[0]?.from ?? now) + usual);
    const isAwaited = run.state === 'running' && task.trial.state === 'waiting' && usual !== undefined;
    if (isAwaited && bars.length === 0) {
      bars.push({ name: 'expected', state: 'expected', from: cursor, to: cursor + usual });
      cursor += usual;
    }
    return { key, trial: task.trial, bars };
  });
  const bars = rows.flatMap((row) => row.bars);
  if (bars.length === 0) return undefined;
  const from = bars.reduce((least, bar) => Math.min(least, bar.from), run.startedAt);
  const ends = [run.endedAt ?? from, ...(run.state === 'running' ? [now] : [])];
  const to = bars.reduce((most, bar) => Math.max(most, bar.to), Math.max(...ends));
  return { rows, span: [from, Math.max(from + 1, to)] };
}

/** A precheck takes no time that could be seen; one that failed is all there is of its task. */
function stageBars({ stages }: TaskView): TimelineBar[] {
  return stages.flatMap(({ stage, success, startedAt, durationMs }) => {
    const isSeen = stage !== 'precheck' || !success;
    if (!isSeen || !Number.isFinite(startedAt) || !Number.isFinite(durationMs)) return [];
    const state = success ? ('succeeded' as const) : ('failed' as const);
    return [{ name: stage, state, from: startedAt, to: startedAt + Math.max(0, durationMs) }];
  });
}

function runningBar({ atWork }: TaskView, now: number): readonly TimelineBar[] {
  if (atWork === undefined) return [];
  const from = Math.min(atWork.startedAt, now);
  return [{ name: atWork.stage ?? 'running', state: 'running', from, to: now }];
}

const SECOND = 1000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** Round times inside a range, no more than fit. */
export function timeTicks([from, to]: readonly [number, number], most: number): readonly number[] {
  const smallest = (to - from) / Math.max(1, most);
  const known = STEPS.map((step) => step * SECOND).find((step) => step >= smallest);
  const day = 86_400 * SECOND;
  const step = known ?? Math.ceil(smallest / day) * day;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
