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
