import { type HistorySeries, withDots } from '../../../charts/page/history-data.ts';
import type { HistoryView } from '../../app/read-history.ts';

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

/** Values that an axis of powers cannot show. */
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
