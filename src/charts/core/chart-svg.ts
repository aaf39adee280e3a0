import type { Chart } from './chart.ts';
import { drawChart } from './draw-chart.ts';
import type { Drawing } from './drawing.ts';
import { svgOf } from './svg-of.ts';
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
