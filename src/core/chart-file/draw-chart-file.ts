import { drawingOf, svgOf } from '../charts/chart-svg.ts';
import type { ChartFile } from './chart-file.ts';
import { toChart } from './to-chart.ts';

/** A chart file as SVG, light whoever looks at it. The same file gives the same bytes. */
export function drawChartFile(file: ChartFile): string {
  const { chart, options, zoom } = toChart(file);
  return svgOf(chart, drawingOf(chart, options, false), { theme: 'light', zoom });
}
