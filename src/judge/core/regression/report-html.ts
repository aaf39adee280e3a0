import { px } from '../../../charts/core/drawing.ts';
import { formatKpiValue, kpiHeads } from '../../../formats/core/kpi/kpi-format.ts';
import { type Content, Html, html } from '../../../platform/core/text/html.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import { mean } from '../../../stats/summary.ts';
import type { EntryAnalysis, KpiAnalysis, RegressionAnalysis } from './analysis.ts';
import { summarizeAnalysis } from './regression-summary.ts';
import { leftOutNotes } from './report-markdown.ts';
import {
  changeText,
  entryTitle,
  headline,
  IS_CHANGE,
  IS_UNJUDGED,
  levelText,
  reasonText,
  stateText,
  valueText,
} from './report-text.ts';

export interface ReportFacts {
  readonly title: string;
  /** "2024-09-02 10:00 UTC". */
  readonly generatedAt: string;
  readonly version: string;
}

const MANY = 500;

/** A page that opens from disk and fetches nothing; everything from tests is escaped. */
export function analysisHtml(analysis: RegressionAnalysis, facts: ReportFacts): string {
  const notes = [...analysis.warnings, ...leftOutNotes(analysis)];
  const isLarge = analysis.entries.length * analysis.kpis.length > MANY;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Html([POLICY])}"><title>${facts.title}</title>
<style>${new Html([ANALYSIS_STYLE])}</style></head><body>
<h1>Regression Analysis Summary</h1>
<p><strong>${headline(analysis)}</strong></p><p>${summarizeAnalysis(analysis).message}</p>
<p class="quiet">${facts.title}. ${facts.generatedAt}. Judged by ${analysis.method}${methodFacts(analysis)}.</p>
${notes.length > 0 && html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
<h2>Results overview</h2><div class="scroll">${overview(analysis)}</div>
<h2>Configuration overview</h2>${labelTable(currentLabels(analysis), analysis.variables)}
<h2>Historical records overview</h2><p>${analysis.history.tests} tests.</p>${labelTable(analysis.history.labels, [])}
${isLarge && html`<p class="quiet">With more than ${MANY} values only those that changed have a section of their own; the JSON has everything.</p>`}${analysis.entries.map((entry) => entrySection(entry, isLarge ? 'changes' : 'all'))}
<footer class="quiet"><p>Nightmark ${facts.version}</p></footer><script>${new Html([REPORT_SCRIPT])}</script></body></html>
`.toString();
}

function methodFacts({ method, minEffect }: RegressionAnalysis): string {
  if (method !== 'nightmark') return '';
  return `, smallest effect of interest ${Number((minEffect * 100).toPrecision(3))} %, false discoveries controlled over all KPIs`;
}

/** A row for each entry, a column for each label that varies and each KPI. */
function overview({ entries, variables, kpis }: RegressionAnalysis): Html {
  return html`<table class="sortable"><thead><tr><th scope="col">entry</th>${variables.map(
    (key) => html`<th scope="col">${key}</th>`,
  )}${kpiHeads(kpis).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${entries.map(
    (entry) =>
      html`<tr><td data-key="${entry.number}"><a href="#entry-${entry.number}">${entryTitle(entry)}</a></td>${variables.map(
        (key) => html`<td>${settingText(entry.labels[key] ?? null)}</td>`,
      )}${kpiCells(entry)}</tr>`,
  )}</tbody></table>`;
}

function kpiCells({ kpis }: EntryAnalysis): Content {
  return kpis.map(
    (kpi) =>
      html`<td class="number ${kpi.state}" data-key="${kpi.newest.length > 0 && mean(kpi.newest)}">${valueText(kpi)}<br><span class="state quiet">${stateText(kpi)}</span></td>`,
  );
}

function currentLabels({ entries }: RegressionAnalysis): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Set<string>>();
  for (const { labels } of entries) {
    for (const [key, value] of Object.entries(labels)) {
      found.set(key, (found.get(key) ?? new Set()).add(settingText(value)));
    }
  }
  return Object.fromEntries([...found].map(([key, values]) => [key, [...values]]));
}

const MAX_VALUES = 40;

function labelTable(labels: Readonly<Record<string, readonly string[]>>, variables: readonly string[]): Html {
  return html`<div class="scroll"><table class="sortable"><thead><tr><th scope="col">label</th><th scope="col">values</th></tr></thead><tbody>${Object.entries(
    labels,
  ).map(([key, values]) => {
    const more = values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : '';
    return html`<tr><td${variables.includes(key) && VARIES}>${key}</td><td>${values.slice(0, MAX_VALUES).join(', ')}${more}</td></tr>`;
  })}</tbody></table></div>`;
}

const VARIES = html` class="varies"`;

/** Of all KPIs, or of those that changed only: thousands of tables would make a page that no browser opens. */
export type ReportDetail = 'all' | 'changes';

/** One entry: its tests, labels and, KPI by KPI, what was found. */
function entrySection(entry: EntryAnalysis, detail: ReportDetail): Html {
  const { number, reference, tests, labels, settings, historyTests, order, notes, kpis } = entry;
  return html`<h2 id="entry-${number}">${entryTitle(entry)}</h2>
<p>${reference} against ${historyTests} tests of the history, in the order of ${ORDERS[order]}.</p>
${notes.map((note) => html`<p class="quiet">${note}</p>`)}
<details><summary>${tests.length} test${tests.length !== 1 && 's'}, labels and settings</summary>
<ul>${tests.map(({ id, location }) => html`<li>${location} <span class="quiet">${id}</span></li>`)}</ul>
${urlList(settings)}<h3>Settings</h3>${factTable(settings)}<h3>Labels</h3>${factTable(labels)}</details>
${kpis.map((kpi) => (detail === 'all' || IS_CHANGE.has(kpi.state) ? kpiSection(kpi, number) : kpiLine(kpi)))}`;
}

const ORDERS = { version: 'versions', time: 'time', text: 'their names as text' };
/** The newest of a long history; a program reads all of them from the JSON. */
const MAX_ROWS = 100;

function kpiLine(kpi: KpiAnalysis): Html {
  return html`<p><span class="state ${kpi.state}">${stateText(kpi)}</span> ${kpi.definition.name} ${valueText(kpi)} ${changeText(kpi)} <span class="quiet">${reasonText(kpi)}</span></p>`;
}

function kpiSection(kpi: KpiAnalysis, number: number): Html {
  const { definition, state, p, adjustedP, method, notes } = kpi;
  const isOpen = IS_CHANGE.has(state) || IS_UNJUDGED.has(state);
  const facts: JsonObject = {
    verdict: stateText(kpi),
    value: valueText(kpi),
    level: levelText(kpi),
    change: changeText(kpi),
    ...(p !== undefined && { p: Number(p.toPrecision(3)) }),
    ...(adjustedP !== undefined && { 'p among all': Number(adjustedP.toPrecision(3)) }),
    ...(method && methodTable(method)),
  };
  return html`<details${isOpen && OPEN}><summary><span class="state ${state}">${stateText(kpi)}</span> ${definition.name} ${valueText(kpi)} ${changeText(kpi)} <span class="quiet">${reasonText(kpi)}</span></summary>
<h3>Entry ${number} KPI ${definition.name}</h3><p>${definition.help} (${definition.unit}${definition.better !== 'unknown' && `, ${definition.better} is better`})</p>
${historySvg(kpi)}${notes.map((note) => html`<p class="quiet">${note}</p>`)}
<h3>Evaluation results</h3>${factTable(facts)}
${method && html`<h3>Details</h3><div class="scroll"><pre>${JSON.stringify(method.details, null, 1)}</pre></div>`}
${comparisonTable(kpi)}</details>`;
}

const OPEN = html` open`;

function methodTable({
  accepted,
  rating,
  improved,
  description,
}: NonNullable<KpiAnalysis['method']>): JsonObject {
  return {
    accepted: accepted ?? null,
    rating: rating === undefined ? null : `${Math.round(rating * 100)} %`,
    improved: improved ?? null,
    description,
  };
}

/** Every value of the history with its version, the newest last. */
function comparisonTable({ definition, history, values }: KpiAnalysis): Html | undefined {
  if (history.length === 0) return undefined;
  const shown = history.slice(-MAX_ROWS);
  const row = (name: string, value: number, mark: string) =>
    html`<tr><td>${name}</td><td class="number" data-key="${value}">${Number(value.toPrecision(6))} ${definition.unit}</td><td class="number" data-key="${value}">${formatKpiValue(definition, value)}</td><td>${mark}</td></tr>`;
  return html`<h3>Comparison</h3>${history.length > shown.length && html`<p class="quiet">The newest ${shown.length} of ${history.length} values.</p>`}
<div class="scroll"><table class="sortable"><thead><tr><th scope="col">compared</th><th scope="col">value</th><th scope="col">formatted value</th><th scope="col">ref</th></tr></thead><tbody>${shown.map(
    ({ name, value }) => row(name, value, ''),
  )}${values.map((value) => row('this test', value, '*'))}</tbody></table></div>`;
}

function factTable(facts: JsonObject): Html {
  return html`<div class="scroll"><table><tbody>${Object.entries(facts).map(
    ([key, value]) => html`<tr><th scope="row">${key}</th><td>${textOf(value)}</td></tr>`,
  )}</tbody></table></div>`;
}

function textOf(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : settingText(value);
}

/** Links come from tests: nothing but a web address is followed. */
function urlList({ urls }: JsonObject): Html | undefined {
  if (!isJsonObject(urls)) return undefined;
  return html`<ul>${Object.entries(urls).map(([name, url]) =>
    typeof url === 'string' && /^https?:\/\//i.test(url)
      ? html`<li><a href="${url}" rel="noopener noreferrer">${name}</a></li>`
      : html`<li>${name}: ${textOf(url)}</li>`,
  )}</ul>`;
}

const WIDTH = 320;
const HEIGHT = 64;
const EDGE = 6;
/** More points than pixels cannot be seen; the newest are of interest. */
const MAX_POINTS = 150;

/**
 * The history as dots, the level it ends with as a line, its spread as a band, the newest values with
 * the interval of where they are, in the colour of the verdict.
 */
function historySvg({ history, values, level, shift, state, definition }: KpiAnalysis): Html | undefined {
  if (history.length === 0) return undefined;
  const shown = history.slice(-MAX_POINTS);
  const skipped = history.length - shown.length;
  const all = [...shown.map(({ value }) => value), ...values];
  const spread = level ? [level.value - 2 * level.scale, level.value + 2 * level.scale] : [];
  const reach = level && shift ? [level.value + shift.low, level.value + shift.high] : [];
  const y = scale([...all, ...spread, ...reach.filter(Number.isFinite)], [HEIGHT - EDGE, EDGE]);
  const x = scale([0, shown.length + values.length - 1], [EDGE, WIDTH - EDGE]);
  const from = Math.max(0, (level?.start ?? 0) - skipped);
  const label = `${definition.name}: ${counted(history.length, 'value')} of the history and ${counted(values.length, 'newest value')}`;
  const band =
    level &&
    html`<rect class="band" x="${px(x(from))}" width="${px(x(shown.length) - x(from))}" y="${px(y(spread[1] ?? 0))}" height="${px(y(spread[0] ?? 0) - y(spread[1] ?? 0))}"/><line class="level" x1="${px(x(from))}" x2="${px(x(all.length - 1))}" y1="${px(y(level.value))}" y2="${px(y(level.value))}"/>`;
  const last = x(all.length - 1);
  const interval =
    reach.length > 0 &&
    html`<line class="interval" x1="${px(last)}" x2="${px(last)}" y1="${px(y(reach[0] ?? 0))}" y2="${px(y(reach[1] ?? 0))}"/>`;
  return html`<svg class="history ${state}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">${band}${interval}${shown.map(
    ({ value, name }, at) =>
      html`<circle class="old" cx="${px(x(at))}" cy="${px(y(value))}" r="2"><title>${name}: ${value}</title></circle>`,
  )}${values.map(
    (value, at) =>
      html`<circle class="new" cx="${px(x(shown.length + at))}" cy="${px(y(value))}" r="4"><title>${value}</title></circle>`,
  )}</svg>`;
}

function scale(values: readonly number[], [from, to]: readonly [number, number]): (value: number) => number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const size = high - low;
  return (value) =>
    size > 0 && Number.isFinite(size) ? from + ((value - low) / size) * (to - from) : (from + to) / 2;
}

/** Sorts a table by the column whose head is clicked: numbers by size, words in their order. Always the same text, allowed by its hash. */
export const REPORT_SCRIPT = `(() => {
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => [row.cells[column].dataset.key ?? row.cells[column].textContent, row]);
      keyed.sort(([a], [b]) => (up ? 1 : -1) * a.localeCompare(b, 'en', { numeric: true }));
      const numbers = keyed.every(([key]) => key !== '' && !Number.isNaN(Number(key)));
      if (numbers) keyed.sort(([a], [b]) => (up ? 1 : -1) * (Number(a) - Number(b)));
      body.append(...keyed.map(([, row]) => row));
    });
  });
}
})();`;

/** For the Content-Security-Policy; a test keeps it true. */
export const REPORT_SCRIPT_HASH = 'sha256-2vfU/EhlzChdcdew2JrD2ybYk0GZJ0qp2lnaIr73A/8=';

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${REPORT_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

/** Style of a report of an analysis; light or dark as the reader has it. */
const ANALYSIS_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #59636e; --back: #fff; --band: #e6ebf0; --rule: #d5dae0;
  --worse: #a8330b; --better: #00684a; --old: #0b6fb3; --worseback: #fbdccb; --betterback: #d3efe4; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --quiet: #9aa5b1; --back: #14171a; --band: #2a3138; --rule: #343b42;
  --worse: #ff9d6c; --better: #4fd1a5; --old: #56b4e9; --worseback: #5c2d13; --betterback: #124b3a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, td, th, li { overflow-wrap: anywhere; } .quiet { color: var(--quiet); font-size: .88rem; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; } th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--old); }
th[aria-sort=ascending]::after { content: " ▲"; } th[aria-sort=descending]::after { content: " ▼"; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } td.regression { background: var(--worseback); } td.improvement { background: var(--betterback); }
td.varies { font-weight: 600; } details { border-bottom: 1px solid var(--rule); padding: .3rem 0; } summary { cursor: pointer; }
svg { display: block; max-width: 100%; } .band { fill: var(--band); } .level, .interval { stroke: var(--quiet); } .old { fill: var(--old); fill-opacity: .7; }
.new { fill: var(--quiet); } .regression .new, .state.regression { fill: var(--worse); color: var(--worse); }
.improvement .new, .state.improvement { fill: var(--better); color: var(--better); }
`;
