import { html } from '../../platform/core/text/html.ts';
import type { Chart } from './chart.ts';
import { type Drawing, printable, px, raw } from './drawing.ts';
import { CHART_STYLE, type ThemeName, themeOf } from './theme.ts';

/** A drawing as a file; `zoom`: shown so much larger than it is drawn. */
export function svgOf(
  chart: Chart,
  { width, height, body }: Drawing,
  { theme, zoom = 1 }: { readonly theme: ThemeName; readonly zoom?: number },
): string {
  const { font, ground } = themeOf(theme);
  const name = printable(chart.title);
  const box = `0 0 ${px(width)} ${px(height)}`;
  const svg =
    html`<svg xmlns="http://www.w3.org/2000/svg" class="nm-chart" role="img" aria-label="${name}" viewBox="${box}" width="${px(width * zoom)}" height="${px(height * zoom)}" font-family="${font}">${
      theme === 'auto' && html`<style>${raw(CHART_STYLE)}</style>`
    }<rect width="${px(width)}" height="${px(height)}" fill="${ground}"/>${body}</svg>`.toString();
  return BEYOND_ASCII.test(svg) ? svg.replace(REFUSED_BY_XML, '\ufffd') : svg;
}

/** Half characters and two code points: one of them in a name must not make the whole picture unreadable. */
const REFUSED_BY_XML = /\p{Cs}|[\ufffe\uffff]/gu;
const BEYOND_ASCII = /[\u0080-\uffff]/;
