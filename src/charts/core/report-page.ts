import { messageOf } from '../../platform/core/errors.ts';
import { type Content, type Html, html, segments } from '../../platform/core/text/html.ts';
import type { Chart, PlotPart } from './chart.ts';
import { chartSvg } from './chart-svg.ts';
import { raw } from './drawing.ts';
import { tableHtml } from './table-html.ts';
import { CHART_STYLE, CHART_STYLE_HASH, PAGE_STYLE, PAGE_STYLE_HASH } from './theme.ts';

/** A page that opens from disk, runs no script and fetches nothing. */
export function plainPage(title: string, content: Content): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<title>${title}</title><style>${raw(CHART_STYLE)}</style><style>${raw(PAGE_STYLE)}</style><style>${raw(REPORT_STYLE)}</style></head>
<body class="nm-chart"><main>${content}</main></body></html>
`.toString();
}

export interface ReportPage {
  readonly page: string;
  /** Charts that could not be drawn, one sentence each; the page says so in their place. */
  readonly failures: readonly string[];
}

/** A report with its charts inside of it, so that the one file can be sent on. `figures` are their files, in order. */
export function reportPage(
  title: string,
  parts: readonly PlotPart[],
  figures: readonly (string | undefined)[],
): ReportPage {
  const failures: string[] = [];
  let charts = 0;
  const content = parts.map((part) => {
    const figure = part.type === 'chart' ? figures[charts++] : undefined;
    try {
      return html`${partHtml(part, figure)}\n`;
    } catch (error) {
      const reason = `figure ${charts} could not be drawn: ${messageOf(error)}`;
      failures.push(reason);
      return html`<p role="alert">${reason}</p>\n`;
    }
  });
  return { page: plainPage(title, content), failures };
}

function partHtml(part: PlotPart, figure: string | undefined): Html {
  switch (part.type) {
    case 'heading':
      return headingHtml(part.level, part.text);
    case 'text':
      return html`<p>${part.text}</p>`;
    case 'links':
      return html`<ul>${part.links.map(({ text, url }) => html`<li>${linkHtml(text, url)}</li>`)}</ul>`;
    case 'chart':
      return html`${chartHtml(part.chart)}${
        figure !== undefined && html`<p><a href="${segments(figure)}">Open this figure</a></p>`
      }`;
    default:
      throw new TypeError(
        `a part of the type ${JSON.stringify((part as { type?: unknown }).type)} is unknown`,
      );
  }
}

function headingHtml(level: 1 | 2 | 3, text: string): Html {
  if (level === 1) return html`<h1>${text}</h1>`;
  return level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`;
}

/** Links come from results: nothing but a web address is followed. */
function linkHtml(text: string, url: string): Html {
  if (!/^https?:\/\//i.test(url)) return html`${text}: ${url}`;
  return html`<a href="${url}" rel="noopener noreferrer">${text}</a>`;
}

function chartHtml(chart: Chart): Html {
  return chart.type === 'table' ? tableHtml(chart) : raw(chartSvg(chart));
}

/** The style of reports beside that of charts: on paper without dark colours, and nothing is torn apart between pages. */
const REPORT_STYLE = `main{max-width:70em;margin:0 auto}main>p{max-width:50em}h1{line-height:1.25}h2{margin:1.6em 0 .4em}main>h1,main>h2,main>p{overflow-wrap:anywhere}td svg{vertical-align:middle}main a{color:var(--nm-s0)}
@media print{@page{size:A4;margin:14mm 13mm 16mm;@bottom-right{content:counter(page) " of " counter(pages);font:8pt system-ui,sans-serif;color:#5b6575}}
body{margin:0;font-size:9pt;line-height:1.35;print-color-adjust:exact}h1{margin-top:0}h2{margin-top:1.2em}main,main>p{max-width:none}main a{text-decoration:underline}main>ul a[href^="http"]::after{content:" (" attr(href) ")";overflow-wrap:anywhere}
svg.nm-chart,tr,li{break-inside:avoid}h1,h2,h3,figcaption,figcaption+p{break-after:avoid}p{orphans:2;widows:2}thead{display:table-header-group}
.nm-table>div{overflow:visible}.nm-table figcaption{font-size:10pt}.nm-table th,.nm-table td{padding:2px 5px;font-size:8pt}.nm-table td{overflow-wrap:anywhere;min-width:6.5em}}`;

/** For the Content-Security-Policy; a test keeps it true. */
const REPORT_STYLE_HASH = 'sha256-UsxG8XOWZvUVo0ZeZp5ioE+lOi67K6r8eyn3sjeLb0s=';

const POLICY = `default-src 'none'; style-src '${CHART_STYLE_HASH}' '${PAGE_STYLE_HASH}' '${REPORT_STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
