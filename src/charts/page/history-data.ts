import UPlot from 'uplot';

/** One line over time: what it is called, its values and, where there are any, its interval and its runs. */
export interface HistorySeries {
  readonly name: string;
  /** Milliseconds since 1970, rising. */
  readonly times: ArrayLike<number>;
  /** NaN is a gap. */
  readonly values: ArrayLike<number>;
  readonly low?: ArrayLike<number>;
  readonly high?: ArrayLike<number>;
  readonly runIds?: readonly string[];
  /** Place in the set of colours; the place in the list where it is absent. */
  readonly hue?: number;
  /** Dots alone: single runs beside a line of their means. */
  readonly isDots?: boolean;
  /** Drawn behind what is measured: the pointer passes it over. */
  readonly isBackdrop?: boolean;
  /** Something to compare with. */
  readonly isDashed?: boolean;
  /** One of many behind a line of their means. */
  readonly isFaint?: boolean;
}

/** More dots than this lie on top of each other: they are drawn smaller and paler. */
export const CROWDED = 300;

/** Lines behind the dots that they sum up; before them where so many would cover them. */
export function withDots(lines: readonly HistorySeries[], dots: HistorySeries): readonly HistorySeries[] {
  return dots.times.length > CROWDED ? [dots, ...lines] : [...lines, dots];
}

/** A vertical line: a change with its effect, a commit, another machine. */
export interface HistoryMark {
  readonly at: number;
  readonly text: string;
  readonly look: 'better' | 'worse' | 'unknown' | 'note';
}

/** What the pointer is over. */
export interface HistoryPoint {
  readonly series: HistorySeries;
  /** Place in its columns. */
  readonly index: number;
  readonly at: number;
  readonly value: number;
}

/** Columns of all series over one x, as uPlot wants them: for each its values, then its band where it has one. */
export interface HistoryData {
  readonly columns: UPlot.AlignedData;
  /** For each series its column, and the columns of its band. */
  readonly places: readonly { readonly value: number; readonly low?: number; readonly high?: number }[];
  /** For each series: where in its own columns the value at a place of x came from; -1: it has none there. */
  readonly origin: (series: number, place: number) => number;
}

export function historyData(series: readonly HistorySeries[]): HistoryData {
  const tables: UPlot.AlignedData[] = [];
  const places: { value: number; low?: number; high?: number }[] = [];
  let column = 1;
  for (const { times, values, low, high } of series) {
    const bands = low && high ? [gaps(low), gaps(high)] : [];
    tables.push([Array.from(times), gaps(values), ...bands]);
    places.push({ value: column, ...(bands.length > 0 && { low: column + 1, high: column + 2 }) });
    column += 1 + bands.length;
  }
  const [first] = tables;
  if (first === undefined) return { columns: [[]], places, origin: () => -1 };
  // Joining copies: one series, the usual case and the longest, is taken as it is.
  const columns = tables.length === 1 ? first : UPlot.join(tables);
  const byTime = series.map(({ times }) => (series.length === 1 ? undefined : placesByTime(times)));
  const origin = (one: number, place: number) => {
    const index = byTime[one];
    return index === undefined ? place : (index.get(columns[0][place] ?? Number.NaN) ?? -1);
  };
  return { columns, places, origin };
}

function gaps(values: ArrayLike<number>): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

function placesByTime(times: ArrayLike<number>): ReadonlyMap<number, number> {
  return new Map(Array.from(times, (time, place) => [time, place] as const));
}
