/** Colours and sizes of a chart, as they are at the moment. */
export interface ChartLook {
  readonly text: string;
  readonly quiet: string;
  readonly rule: string;
  readonly back: string;
  /** Of the first eight series. */
  readonly hues: readonly string[];
  /** Of all others. */
  readonly other: string;
  /** Pixels. */
  readonly width: number;
}

/** How a series is told from the others: by colour, by the shape of its points, and by its dashes. */
export interface SeriesLook {
  readonly colour: string;
  readonly symbol: string;
  readonly dash: 'solid' | readonly number[];
}

const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
const DASHES = ['solid', [6, 3], [2, 3], [9, 3, 2, 3]] as const;

export function seriesLook(place: number, { hues, other }: ChartLook): SeriesLook {
  return {
    colour: hues[place] ?? other,
    symbol: SYMBOLS[place % SYMBOLS.length] ?? 'circle',
    dash: DASHES[Math.floor(place / hues.length) % DASHES.length] ?? 'solid',
  };
}
