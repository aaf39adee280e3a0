import { type Html, html } from '../../platform/core/text/html.ts';
import type { Chart } from './chart.ts';
import { type ChartSize, drawingOf } from './chart-svg.ts';
import { type Hit, raw, svgOf } from './drawing.ts';
import { tableHtml } from './table-html.ts';
import { CHART_STYLE, CHART_STYLE_HASH, PAGE_STYLE, PAGE_STYLE_HASH } from './theme.ts';

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

/**
 * What a page of one figure does: it reads out the nearest mark under the pointer, or the next one by arrow keys, and a
 * click on a name of the legend hides its series. Always the same text, so that the page allows it by its hash.
 */
const PAGE_SCRIPT = `(() => {
const svg = document.querySelector('svg.nm-chart');
const tip = document.getElementById('nm-tip');
if (!svg) return;
const hits = JSON.parse(document.getElementById('nm-hits').textContent);
const off = new Set();
const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
dot.setAttribute('r', '6');
dot.setAttribute('class', 'nm-dot');
let current = -1;
function show(index) {
  current = index;
  const hit = hits[index];
  if (!hit) { dot.remove(); tip.hidden = true; return; }
  dot.setAttribute('cx', hit[0]);
  dot.setAttribute('cy', hit[1]);
  svg.append(dot);
  const box = svg.getBoundingClientRect();
  const scale = box.width / svg.viewBox.baseVal.width;
  tip.textContent = hit[3];
  tip.hidden = false;
  const left = box.left + scrollX + hit[0] * scale + 14;
  tip.style.left = Math.max(0, Math.min(left, scrollX + innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = box.top + scrollY + hit[1] * scale + 14 + 'px';
}
svg.addEventListener('pointermove', (event) => {
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const x = (event.clientX - box.left) * scale;
  const y = (event.clientY - box.top) * scale;
  let best = -1;
  let least = 40 * 40;
  for (let index = 0; index < hits.length; index++) {
    const far = (hits[index][0] - x) ** 2 + (hits[index][1] - y) ** 2;
    if (far < least && !off.has(hits[index][2])) { least = far; best = index; }
  }
  if (best !== current) show(best);
});
svg.addEventListener('pointerleave', () => show(-1));
svg.setAttribute('tabindex', '0');
svg.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || hits.length === 0) return;
  let next = current;
  for (let tries = 0; tries < hits.length; tries++) {
    next = (next + step + hits.length) % hits.length;
    if (!off.has(hits[next][2])) break;
  }
  show(next);
  event.preventDefault();
});
for (const name of svg.querySelectorAll('[data-toggle]')) {
  const panel = name.closest('[data-panel]');
  const key = (panel ? panel.dataset.panel : '0') + ':' + name.dataset.toggle;
  const series = (panel || svg).querySelectorAll('[data-series="' + name.dataset.toggle + '"]');
  name.setAttribute('tabindex', '0');
  name.setAttribute('role', 'button');
  name.setAttribute('aria-pressed', 'true');
  const toggle = () => {
    const hide = !off.has(key);
    if (hide) off.add(key); else off.delete(key);
    name.setAttribute('aria-pressed', String(!hide));
    name.classList.toggle('nm-faint', hide);
    for (const part of series) part.classList.toggle('nm-off', hide);
    show(-1);
  };
  name.addEventListener('click', toggle);
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    toggle();
    event.preventDefault();
  });
}
})();`;

/** For the Content-Security-Policy; a test keeps it true. */
const PAGE_SCRIPT_HASH = 'sha256-ZKcQU4mEKvRbPKPERSLjOlAScNaEGoKSClu4Z4PM2PQ=';

const POLICY = `default-src 'none'; style-src '${CHART_STYLE_HASH}' '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;
