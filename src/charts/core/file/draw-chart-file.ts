import { drawBars } from '../draw-bars.ts';
import { drawLines } from '../draw-lines.ts';
import { svgOf } from '../svg-of.ts';
import type { ChartFile } from './chart-file.ts';
import { toChart } from './to-chart.ts';

/** A chart file as SVG, light whoever looks at it. The same file gives the same bytes. */
export function drawChartFile(file: ChartFile): string {
  const { chart, canvas, zoom } = toChart(file);
  // The two kinds by name, not through drawChart: who draws one chart a process need not load all the others.
  const drawing = chart.type === 'bars' ? drawBars(chart, canvas) : drawLines(chart, canvas);
  return svgOf(chart, drawing, { theme: 'light', zoom });
}
