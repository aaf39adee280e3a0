/** A chart as data: drawn the same way in the page, in reports and on the server. Numbers are in base units. */
export type Chart = LineChart | BarChart | BoxChart | ScatterChart | HeatMap | TableChart | PanelChart;

interface ChartFrame {
  readonly title: string;
  readonly subtitle?: string;
  /** Sentences below the chart. */
  readonly notes?: readonly string[];
  /** What the names of the series are, in front of them. */
  readonly legendTitle?: string;
}

export interface Axis {
  readonly label: string;
  readonly unit?: string;
  readonly scale?: 'linear' | 'log' | 'time' | 'category';
  /** Names of the places of a category axis, in order. */
  readonly categories?: readonly string[];
  readonly startsAtZero?: boolean;
  /** At least this much is shown: charts side by side are compared along one axis. */
  readonly range?: { readonly low: number; readonly high: number };
}

/** Lines over numbers, times or categories, each with an optional band. NaN is a gap. */
export interface LineChart extends ChartFrame {
  readonly type: 'lines';
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly LineSeries[];
}

export interface LineSeries {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  readonly hasMarkers?: boolean;
}

/** Groups of bars; NaN is a missing bar and is marked as such. */
export interface BarChart extends ChartFrame {
  readonly type: 'bars';
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly BarSeries[];
  /** Bars carry their value with so many significant figures; absent: they carry none. */
  readonly valueFigures?: number;
}

export interface BarSeries {
  readonly name: string;
  readonly values: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  /** A colour for each place instead of one for the series. */
  readonly colours?: readonly string[];
  /** How far bars, and the values they carry, stand from their own place, in places of the x axis. */
  readonly offsets?: readonly number[];
  readonly labelOffsets?: readonly number[];
}

export interface BoxChart extends ChartFrame {
  readonly type: 'box';
  readonly x: Axis;
  readonly y: Axis;
  /** All values of each place of the category axis. */
  readonly series: readonly { readonly name: string; readonly values: readonly (readonly number[])[] }[];
}

export interface ScatterChart extends ChartFrame {
  readonly type: 'scatter';
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly labels?: readonly string[];
  }[];
}

export interface HeatMap extends ChartFrame {
  readonly type: 'heatmap';
  readonly x: Axis;
  readonly y: Axis;
  readonly value: Axis;
  /** Rows of the y axis, each with a value for every place of the x axis. */
  readonly values: readonly (readonly number[])[];
}

export interface TableChart extends ChartFrame {
  readonly type: 'table';
  readonly columns: readonly { readonly name: string; readonly align?: 'left' | 'right' }[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Several charts in one figure: one for each value of a setting. */
export interface PanelChart extends ChartFrame {
  readonly type: 'panels';
  readonly charts: readonly Chart[];
  /** How many stand side by side, where rows and columns mean something. */
  readonly columns?: number;
}

export interface TableCell {
  readonly text: string;
  readonly link?: string;
  /** -1 worse ... 0 ... 1 better; a shade, never the only sign. */
  readonly tone?: number;
  /** Earlier values, oldest first, drawn as a small line where there is room; null is a gap. */
  readonly spark?: readonly (number | null)[];
}

export type PlotPart =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'links'; readonly links: readonly { readonly text: string; readonly url: string }[] }
  | { readonly type: 'chart'; readonly chart: Chart };
