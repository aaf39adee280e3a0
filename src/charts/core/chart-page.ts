import { type Html, html } from '../../platform/core/text/html.ts';
import type { Chart } from './chart.ts';
import { type ChartSize, drawingOf } from './chart-svg.ts';
import { type Hit, raw } from './drawing.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './page-script.ts';
import { CHART_STYLE_HASH, PAGE_STYLE, PAGE_STYLE_HASH } from './page-style.ts';
import { svgOf } from './svg-of.ts';
import { tableHtml } from './table-html.ts';
import { CHART_STYLE } from './theme.ts';

const POLICY = `default-src 'none'; style-src '${CHART_STYLE_HASH}' '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

/** One figure as a page that opens from disk: values under the pointer, series that can be hidden; a table is a table. */
export function chartPage(chart: Chart, size: ChartSize = {}): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<title>${chart.title}</title><style>${raw(CHART_STYLE)}</style><style>${raw(PAGE_STYLE)}</style></head>
<body class="nm-chart"><main>${chart.type === 'table' ? tableHtml(chart) : figure(chart, size)}</main></body></html>
`.toString();
}

function figure(chart: Chart, size: ChartSize): Html {
  const drawing = drawingOf(chart, size, true);
  return html`${raw(svgOf(chart, drawing, { theme: 'auto' }))}<div id="nm-tip" role="status" hidden></div>
<script type="application/json" id="nm-hits">${raw(hitsJson(drawing.hits))}</script><script>${raw(PAGE_SCRIPT)}</script>`;
}

/** Data in a page: nothing in it may end the element it stands in. */
function hitsJson(hits: readonly Hit[]): string {
  const rows = hits.map(({ x, y, series, text, panel = 0 }) => [
    Math.round(x * 10) / 10,
    Math.round(y * 10) / 10,
    `${panel}:${series}`,
    text.slice(0, 500),
  ]);
  return JSON.stringify(rows).replaceAll('<', '\\u003c');
}
