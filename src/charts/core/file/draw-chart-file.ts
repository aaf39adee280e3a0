import type { Axis, BarChart, LineChart } from '../chart.ts';
import { drawBars } from '../draw-bars.ts';
import { drawLines } from '../draw-lines.ts';
import { type Canvas, svgOf } from '../drawing.ts';
import { themeOf } from '../theme.ts';
import type { BarFile, ChartFile, GroupedBarFile, LineFile } from './chart-file.ts';
import { hasZone, parseTime } from './read-chart-file.ts';

/** A chart file as SVG, always in the light theme. The same file gives the same bytes. */
export function drawChartFile(file: ChartFile): string {
  const { chart, canvas, zoom } = toChart(file);
  // The two kinds by name, not through drawChart: who draws one chart a process need not load all the others.
  const drawing = chart.type === 'bars' ? drawBars(chart, canvas) : drawLines(chart, canvas);
  return svgOf(chart, drawing, { theme: 'light', zoom });
}

/** The description that is drawn, and how: sizes, colours and room for text. */
export interface ChartOrder {
  readonly chart: BarChart | LineChart;
  readonly canvas: Canvas;
  /** The drawing is made this much smaller and shown larger: its text grows, the picture does not. */
  readonly zoom: number;
}

const WIDTH = 920;
const HEIGHT = 560;
const FIGURES = 3;
/** The theme has eight colours, files may name ten. */
const COLOURS = [...themeOf('light').series, '#8c564b', '#8a8f00'];

function toChart(file: ChartFile): ChartOrder {
  const { width = WIDTH, height = HEIGHT, fontScale: zoom = 1 } = file;
  const colours = (file.colors ?? []).map(colourOf);
  const light = themeOf('light');
  const canvas = { theme: light, width: width / zoom, height: height / zoom, wantsHits: false };
  if (file.chart === 'bar') return { chart: barChart(file, colours), canvas, zoom };
  const chart = file.chart === 'line' ? lineChart(file) : groupedChart(file);
  const theme = colours.length === 0 ? light : { ...light, series: colours };
  return { chart, canvas: { ...canvas, theme }, zoom };
}

function barChart(file: BarFile, colours: readonly string[]): BarChart {
  const offsets = file.bars.map(({ offset }) => offset ?? 0);
  const perBar = file.bars.map((_, index) => colours[index % colours.length] ?? '');
  return {
    type: 'bars',
    title: file.title ?? '',
    x: { label: file.xTitle ?? '', categories: file.bars.map(({ label }) => label) },
    y: yAxis(file),
    ...valueFigures(file),
    series: [
      {
        name: '',
        values: file.bars.map(({ value }) => value),
        offsets,
        ...(colours.length > 0 && { colours: perBar }),
      },
    ],
  };
}

function groupedChart(file: GroupedBarFile): BarChart {
  const numbers = (list: readonly (number | null)[] | undefined) => list?.map((item) => item ?? 0);
  return {
    type: 'bars',
    title: file.title ?? '',
    ...(file.legendTitle !== undefined && { legendTitle: file.legendTitle }),
    x: { label: file.xTitle ?? '', categories: file.groups },
    y: yAxis(file),
    ...valueFigures(file),
    series: file.series.map(({ label, values, offsets, labelOffsets }) => {
      const [moved, movedValues] = [numbers(offsets), numbers(labelOffsets)];
      return {
        name: label,
        values: values.map((value) => value ?? Number.NaN),
        ...(moved && { offsets: moved }),
        ...(movedValues && { labelOffsets: movedValues }),
      };
    }),
  };
}

function lineChart(file: LineFile): LineChart {
  const texts = file.series.flatMap(({ x }) => x.filter((item) => typeof item === 'string'));
  const scale = file.xScale ?? (texts.length > 0 ? 'time' : 'linear');
  // Times without a zone are local ones: the axis must not call them UTC.
  const isLocal = texts.length > 0 && !texts.every(hasZone);
  const hasMarkers = file.points;
  return {
    type: 'lines',
    title: file.title ?? '',
    x: { label: file.xTitle ?? '', scale, ...(isLocal && { unit: '' }) },
    y: yAxis(file),
    series: file.series.map(({ label = '', x, y }) => ({
      name: label,
      x: x.map((item) => (typeof item === 'string' ? parseTime(item) : item)),
      y: y.map((value) => value ?? Number.NaN),
      ...(hasMarkers !== undefined && { hasMarkers }),
    })),
  };
}

function yAxis({ yTitle = '', yScale = 'linear', unit }: ChartFile): Axis {
  return { label: yTitle, scale: yScale, ...(unit !== undefined && { unit }) };
}

function valueFigures({ valueLabels = true, significantFigures = FIGURES }: ChartFile) {
  return valueLabels ? { valueFigures: significantFigures } : {};
}

function colourOf(name: string): string {
  return name.startsWith('C') ? (COLOURS[Number(name.slice(1))] ?? name) : name;
}
