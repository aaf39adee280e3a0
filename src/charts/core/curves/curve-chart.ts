import type { LineChart, LineSeries } from '../chart.ts';
import type { Curve } from './curve.ts';
import { type CurveSummary, type SummaryOptions, summarizeCurves } from './summarize-curves.ts';

/** One line: the curves of all seeds of one point of the matrix. */
export interface CurveGroup {
  readonly name: string;
  readonly curves: readonly Curve[];
}

export interface CurveChartOptions extends SummaryOptions {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly yUnit?: string;
  /** The interquartile mean with its interval, or the mean with one deviation to each side. */
  readonly center?: 'iqm' | 'mean';
}

/** Learning curves with bands; a group of one seed is a line without one. What cannot be drawn is named below. */
export function curveChart(groups: readonly CurveGroup[], options: CurveChartOptions): LineChart {
  const { title, xLabel, yLabel, yUnit, center = 'iqm', level = 0.95 } = options;
  const drawn = groups.map((group) => drawGroup(group, options));
  const hasBand = drawn.some(({ series }) => series?.low !== undefined);
  const band =
    center === 'iqm'
      ? `Interquartile mean over seeds; the band is its ${level * 100} % bootstrap interval.`
      : 'Mean over seeds; the band is one standard deviation to each side.';
  const notes = [
    ...(hasBand ? [band] : []),
    ...drawn.flatMap(({ note }) => (note === undefined ? [] : [note])),
  ];
  return {
    type: 'lines',
    title,
    x: { label: xLabel, scale: 'linear' },
    y: { label: yLabel, ...(yUnit === undefined ? {} : { unit: yUnit }) },
    series: drawn.flatMap(({ series }) => (series ? [series] : [])),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

interface Drawn {
  readonly series?: LineSeries;
  readonly note?: string;
}

function drawGroup({ name, curves }: CurveGroup, options: CurveChartOptions): Drawn {
  const usable = curves.filter(({ x }) => x.length > 0);
  const lost = curves.length - usable.length;
  const note = lost > 0 ? { note: `${name}: ${lost} of ${curves.length} curves have no points.` } : {};
  const [only] = usable;
  if (only === undefined) return { note: `${name}: there is no curve.` };
  if (usable.length === 1) return { series: { name, x: [...only.x], y: [...only.y] }, ...note };
  const starts = Math.max(...usable.map(({ x }) => x[0] as number)); // not empty
  const ends = Math.min(...usable.map(({ x }) => x.at(-1) as number));
  if (starts > ends) return { note: `${name}: its ${usable.length} curves have no range in common.` };
  const summary = summarizeCurves(usable, options);
  const thin = summary.seeds.filter((count) => count < usable.length).length;
  const gaps = thin > 0 ? { note: `${name}: ${thin} of ${summary.x.length} places lack a seed.` } : {};
  return { series: toSeries(name, summary, options), ...note, ...gaps };
}

function toSeries(name: string, summary: CurveSummary, { center = 'iqm' }: CurveChartOptions): LineSeries {
  const x = [...summary.x];
  if (center === 'iqm')
    return { name, x, y: [...summary.iqm], low: [...summary.low], high: [...summary.high] };
  const side = (sign: number) =>
    x.map((_, at) => (summary.mean[at] ?? Number.NaN) + sign * (summary.deviation[at] ?? Number.NaN));
  return { name, x, y: [...summary.mean], low: side(-1), high: side(1) };
}
