import { kpiHeads } from '../../../../formats/core/kpi/kpi-format.ts';
import { type Content, Html, html } from '../../../../platform/core/text/html.ts';
import { settingText } from '../../../../platform/core/text/text-order.ts';
import { mean } from '../../../../stats/summary.ts';
import type { EntryAnalysis, RegressionAnalysis } from '../analysis.ts';
import { leftOutNotes } from '../report-markdown.ts';
import { summarizeAnalysis } from '../summarize.ts';
import { entryTitle, headline, STATE_WORDS, valueText } from '../words.ts';
import { entrySection } from './entry-section.ts';
import { REPORT_SCRIPT, REPORT_SCRIPT_HASH } from './report-script.ts';
import { ANALYSIS_STYLE } from './report-style.ts';

export interface ReportFacts {
  readonly title: string;
  /** "2024-09-02 10:00 UTC". */
  readonly generatedAt: string;
  readonly version: string;
}

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${REPORT_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

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
      html`<td class="number ${kpi.state}" data-key="${kpi.values.length > 0 && mean(kpi.values)}">${valueText(kpi)}<br><span class="state quiet">${STATE_WORDS[kpi.state]}</span></td>`,
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
