import { formatKpiValue } from '../../../../formats/core/kpi/kpi-format.ts';
import { type Html, html } from '../../../../platform/core/text/html.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { settingText } from '../../../../platform/core/text/text-order.ts';
import type { EntryAnalysis, KpiAnalysis } from '../analysis.ts';
import {
  changeText,
  entryTitle,
  IS_CHANGE,
  IS_UNJUDGED,
  levelText,
  reasonText,
  STATE_WORDS,
  valueText,
} from '../words.ts';
import { historySvg } from './history-svg.ts';

/** Of all KPIs, or of those that changed only: thousands of tables would make a page that no browser opens. */
export type ReportDetail = 'all' | 'changes';

/** One entry: its tests, labels and, KPI by KPI, what was found. */
export function entrySection(entry: EntryAnalysis, detail: ReportDetail): Html {
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
  return html`<p><span class="state ${kpi.state}">${STATE_WORDS[kpi.state]}</span> ${kpi.definition.name} ${valueText(kpi)} ${changeText(kpi)} <span class="quiet">${reasonText(kpi)}</span></p>`;
}

function kpiSection(kpi: KpiAnalysis, number: number): Html {
  const { definition, state, p, adjustedP, method, notes } = kpi;
  const isOpen = IS_CHANGE.has(state) || IS_UNJUDGED.has(state);
  const facts: JsonObject = {
    verdict: STATE_WORDS[state],
    value: valueText(kpi),
    level: levelText(kpi),
    change: changeText(kpi),
    ...(p !== undefined && { p: Number(p.toPrecision(3)) }),
    ...(adjustedP !== undefined && { 'p among all': Number(adjustedP.toPrecision(3)) }),
    ...(method && methodFacts(method)),
  };
  return html`<details${isOpen && OPEN}><summary><span class="state ${state}">${STATE_WORDS[state]}</span> ${definition.name} ${valueText(kpi)} ${changeText(kpi)} <span class="quiet">${reasonText(kpi)}</span></summary>
<h3>Entry ${number} KPI ${definition.name}</h3><p>${definition.help} (${definition.unit}${definition.better !== 'unknown' && `, ${definition.better} is better`})</p>
${historySvg(kpi)}${notes.map((note) => html`<p class="quiet">${note}</p>`)}
<h3>Evaluation results</h3>${factTable(facts)}
${method && html`<h3>Details</h3><div class="scroll"><pre>${JSON.stringify(method.details, null, 1)}</pre></div>`}
${comparisonTable(kpi)}</details>`;
}

const OPEN = html` open`;

function methodFacts({
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
