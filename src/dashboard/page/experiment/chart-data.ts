import { type HistorySeries, withDots } from '../../../charts/page/history-data.ts';
import type { ExperimentHistory, HistoryView } from '../../app/read-history.ts';

/** What x is: the time of a run, or its place among the runs, named by its commit. */
export type Axis = 'time' | 'commit';

export type Zoom = readonly [number, number];

type Runs = ExperimentHistory['runs'];

/** x of a run by its place in the columns. */
export function xOfPlace(runs: Runs, axis: Axis): (place: number) => number {
  return axis === 'commit' ? (place) => place : (place) => runs.times[place] ?? Number.NaN;
}

/** x of a time: on the axis of commits that of the first run from then on. */
export function xOfTime(runs: Runs, axis: Axis): (at: number) => number {
  return axis === 'commit' ? (at) => Math.min(runs.times.length - 1, firstFrom(runs.times, at)) : (at) => at;
}

/**
 * The address always holds times, so that a link means the same range on either axis. Without one all runs are in
 * view, those that failed too.
 */
export function zoomInView(zoom: Zoom | undefined, runs: Runs, axis: Axis): Zoom {
  const { times } = runs;
  if (axis === 'time') return zoom ?? wholeTime(times);
  const from = zoom ? firstFrom(times, zoom[0]) : 0;
  const to = zoom ? firstFrom(times, zoom[1] + 1) - 1 : times.length - 1;
  return to >= from ? [from - 0.5, to + 0.5] : [-0.5, times.length - 0.5];
}

/** One run stands in the middle of its day. */
const ROOM_MS = 43_200_000;

function wholeTime(times: readonly number[]): Zoom {
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const room = first === last ? ROOM_MS : (last - first) * 0.01;
  return [first - room, last + room];
}

export function zoomInTime(view: Zoom | undefined, runs: Runs, axis: Axis): Zoom | undefined {
  if (view === undefined || axis === 'time') return view;
  const last = runs.times.length - 1;
  const [from, to] = [Math.max(0, Math.ceil(view[0])), Math.min(last, Math.floor(view[1]))];
  const [first, end] = [runs.times[from], runs.times[to]];
  return first !== undefined && end !== undefined && first < end ? [first, end] : undefined;
}

/** The commits of a run: "6de6d63", or "lib 1a2b, repo 6de6d63" where there are several sources. */
export function commitText(runs: Runs, place: number): string {
  const commits = runs.commitSets[runs.commits[place] ?? -1];
  return commits === undefined ? '' : commitsText(commits);
}

export function commitsText(commits: Readonly<Record<string, string>>): string {
  const all = Object.entries(commits);
  return all.length === 1 ? (all[0]?.[1] ?? '') : all.map(([name, hash]) => `${name} ${hash}`).join(', ');
}

/** Place of the first time that is not before `at`; the length where there is none. */
function firstFrom(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < at)
      low = middle + 1; // between the ends
    else high = middle;
  }
  return low;
}

interface ChartInput {
  readonly view: HistoryView;
  readonly name: string;
  readonly xOfPlace: (place: number) => number;
  readonly xOfTime: (at: number) => number;
  readonly isLog: boolean;
}

/** Levels with their band, and runs as dots. */
export function chartSeries(input: ChartInput): readonly HistorySeries[] {
  const { view, name, xOfPlace, isLog } = input;
  const dots: HistorySeries = {
    name,
    times: view.places.map(xOfPlace),
    values: view.values.map((value) => shown(value ?? Number.NaN, isLog)),
    // Extremes as dots would look like two levels: a line through them fills the room between.
    isDots: view.count <= view.values.length,
    hue: 0,
  };
  const levels = levelLine(input);
  return withDots(levels.times.length === 0 ? [] : [levels], dots);
}

/** Values that a logarithmic axis cannot show. */
export function hiddenByLog({ values }: Pick<HistoryView, 'values'>): number {
  return values.filter((value) => value !== null && value <= 0).length;
}

function shown(value: number, isLog: boolean): number {
  return isLog && value <= 0 ? Number.NaN : value;
}

/** From the first to the last run of each level; a gap between two. */
function levelLine({ view: { levels }, xOfTime, isLog }: ChartInput): HistorySeries & { times: number[] } {
  const times: number[] = [];
  const [values, low, high]: [number[], number[], number[]] = [[], [], []];
  const add = (x: number, numbers: readonly [number, number, number]) => {
    // Two levels may meet at one x: the later one begins there.
    if (times.length > 0 && x <= (times.at(-1) as number)) return;
    times.push(x);
    for (const [place, column] of [values, low, high].entries())
      column.push(shown(numbers[place] as number, isLog));
  };
  for (const [place, level] of levels.entries()) {
    const [from, to] = [xOfTime(level.from), xOfTime(level.to)];
    const before = levels[place - 1];
    if (before) add((xOfTime(before.to) + from) / 2, [Number.NaN, Number.NaN, Number.NaN]);
    const numbers = [level.value, level.low ?? level.value, level.high ?? level.value] as const;
    add(from, numbers);
    add(to, numbers);
  }
  return { name: 'level', times, values, low, high, hue: 2, isBackdrop: true };
}
