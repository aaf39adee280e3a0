/** A chart as people and scripts write it: the file that `nightmark chart` draws. Numbers are drawn as they are given. */
export type ChartFile = BarFile | GroupedBarFile | LineFile;

interface ChartFileFrame {
  readonly title?: string;
  readonly xTitle?: string;
  readonly yTitle?: string;
  readonly yScale?: 'linear' | 'log';
  readonly xScale?: 'linear' | 'log' | 'time';
  /** Of the values: stands at the y axis; seconds and bytes are shown in the multiple that reads best. */
  readonly unit?: string;
  /** Pixels of the picture. */
  readonly width?: number;
  readonly height?: number;
  readonly fontScale?: number;
  /** Of the values that bars carry; 3 by default. */
  readonly significantFigures?: number;
  /** Whether bars carry their values; true by default. */
  readonly valueLabels?: boolean;
  /** "C0" to "C9" (the usual ones) or "#rrggbb": of the bars, or of the series. */
  readonly colors?: readonly string[];
}

export interface BarFile extends ChartFileFrame {
  readonly chart: 'bar';
  readonly bars: readonly { readonly label: string; readonly value: number; readonly offset?: number }[];
}

export interface GroupedBarFile extends ChartFileFrame {
  readonly chart: 'grouped-bar';
  readonly legendTitle?: string;
  /** Names along the x axis. */
  readonly groups: readonly string[];
  readonly series: readonly {
    readonly label: string;
    /** One for each group; null is a gap. */
    readonly values: readonly (number | null)[];
    /** How far bars, and their values, stand from their own place; 1 is one group. */
    readonly offsets?: readonly (number | null)[];
    readonly labelOffsets?: readonly (number | null)[];
  }[];
}

export interface LineFile extends ChartFileFrame {
  readonly chart: 'line';
  readonly series: readonly {
    readonly label?: string;
    /** Numbers, or times such as "2026-01-31T02:00"; numbers on a time axis are milliseconds since 1970. */
    readonly x: readonly (number | string)[];
    /** null is a gap. */
    readonly y: readonly (number | null)[];
  }[];
  /** Whether points are marked; without it, those of short lines are. */
  readonly points?: boolean;
}
