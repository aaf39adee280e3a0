import { html } from '../../platform/core/text/html.ts';
import type { Chart, PanelChart } from './chart.ts';
import { drawBars } from './draw-bars.ts';
import { drawBox } from './draw-box.ts';
import { drawHeatMap } from './draw-heat-map.ts';
import { drawLines } from './draw-lines.ts';
import { drawScatter } from './draw-scatter.ts';
import { drawTable } from './draw-table.ts';
import { type Canvas, type Drawing, type Hit, px, svgOf } from './drawing.ts';
import { drawHead, drawNotes, headHeight } from './frame.ts';
import { type ThemeName, themeOf } from './theme.ts';

export interface ChartSize {
  readonly width?: number;
  readonly height?: number;
}

export interface SvgOptions extends ChartSize {
  /** "auto" follows the reader's light or dark; a picture file wants one of them. */
  readonly theme?: ThemeName;
}

const WIDTH = 960;
const HEIGHT = 520;

/** The chart as a file or as a part of a page. Everything in it that came from results is escaped. */
export function chartSvg(chart: Chart, options: SvgOptions = {}): string {
  return svgOf(chart, drawingOf(chart, options, false), { theme: options.theme ?? 'auto' });
}

export function drawingOf(chart: Chart, options: SvgOptions, wantsHits: boolean): Drawing {
  const { theme = 'auto', width = WIDTH, height = HEIGHT } = options;
  return drawChart(chart, { theme: themeOf(theme), width, height, wantsHits });
}

/** Any chart as marks on a canvas. */
export function drawChart(chart: Chart, canvas: Canvas): Drawing {
  switch (chart.type) {
    case 'lines':
      return drawLines(chart, canvas);
    case 'bars':
      return drawBars(chart, canvas);
    case 'box':
      return drawBox(chart, canvas);
    case 'scatter':
      return drawScatter(chart, canvas);
    case 'heatmap':
      return drawHeatMap(chart, canvas);
    case 'table':
      return drawTable(chart, canvas);
    case 'panels':
      return drawPanels(chart, canvas);
  }
}

/** More side by side have no room for their names. */
const MAX_COLUMNS = 4;

/** Charts side by side: two in a row, as each needs room for its own names, unless the chart sets another number. */
function drawPanels(chart: PanelChart, canvas: Canvas): Drawing {
  const columns = Math.min(chart.columns ?? 2, MAX_COLUMNS, Math.max(1, chart.charts.length));
  const width = canvas.width / columns;
  const hits: Hit[] = [];
  const panels = [];
  let top = headHeight(chart);
  for (let first = 0; first < chart.charts.length; first += columns) {
    const row = chart.charts
      .slice(first, first + columns)
      .map((panel) => drawChart(panel, { ...canvas, width, height: canvas.height * 0.75 }));
    for (const [index, { body, hits: inside }] of row.entries()) {
      const left = index * width;
      panels.push(
        html`<g data-panel="${first + index}" transform="translate(${px(left)} ${px(top)})">${body}</g>`,
      );
      for (const hit of inside) hits.push({ ...hit, x: hit.x + left, y: hit.y + top, panel: first + index });
    }
    top += Math.max(...row.map(({ height }) => height)) + 8;
  }
  const notes = [...(chart.charts.length === 0 ? ['no data'] : []), ...(chart.notes ?? [])];
  const body = html`${drawHead(chart, canvas)}${panels}${drawNotes(notes, top + 12, canvas)}`;
  return { width: canvas.width, height: top + notes.length * 16 + 6, body, hits };
}
