import type { Chart } from '../model/chart.ts';
import { html } from '../text/html.ts';
import { drawChart } from './draw-chart.ts';
import { type Drawing, printable, px, raw } from './drawing.ts';
import { CHART_STYLE, type ThemeName, themeOf } from './theme.ts';

export interface ChartSize {
  readonly width?: number;
  readonly height?: number;
}

export interface SvgOptions extends ChartSize {
  /** "auto" follows the reader's light or dark; a picture file wants one of them. */
  readonly theme?: ThemeName;
  /** Instead of the colours of the theme, in the order of the series. */
  readonly colours?: readonly string[];
}

const WIDTH = 960;
const HEIGHT = 520;

/** The chart as a file or as a part of a page. Everything in it that came from results is escaped. */
export function chartSvg(chart: Chart, options: SvgOptions = {}): string {
  return svgOf(chart, drawingOf(chart, options, false), { theme: options.theme ?? 'auto' });
}

export function drawingOf(chart: Chart, options: SvgOptions, wantsHits: boolean): Drawing {
  const { theme = 'auto', width = WIDTH, height = HEIGHT } = options;
  const usual = themeOf(theme);
  const { colours = [] } = options;
  return drawChart(chart, {
    theme: colours.length === 0 ? usual : { ...usual, series: colours },
    width,
    height,
    wantsHits,
  });
}

/** `zoom`: shown so much larger than it is drawn. */
export function svgOf(
  chart: Chart,
  { width, height, body }: Drawing,
  { theme, zoom = 1 }: { readonly theme: ThemeName; readonly zoom?: number },
): string {
  const { font, ground } = themeOf(theme);
  const name = printable(chart.title);
  const box = `0 0 ${px(width)} ${px(height)}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="nm-chart" role="img" aria-label="${name}" viewBox="${box}" width="${px(width * zoom)}" height="${px(height * zoom)}" font-family="${font}">${
    theme === 'auto' && html`<style>${raw(CHART_STYLE)}</style>`
  }<rect width="${px(width)}" height="${px(height)}" fill="${ground}"/>${body}</svg>`
    .toString()
    .replace(REFUSED_BY_XML, '\ufffd');
}

/** Half characters and two code points: one of them in a name must not make the whole picture unreadable. */
const REFUSED_BY_XML = /\p{Cs}|[\ufffe\uffff]/gu;
