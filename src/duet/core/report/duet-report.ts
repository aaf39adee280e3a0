import { Html, html } from '../../../platform/core/text/html.ts';
import type { DuetAnalysis, GroupAnalysis } from '../duet-analysis.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { forestPlot } from './forest-plot.ts';
import { groupNamer } from './group-names.ts';
import { groupSection } from './group-section.ts';
import { orderGroups } from './order-groups.ts';
import { REPORT_STYLE } from './report-style.ts';
import { headline, percent } from './words.ts';

/** What a report says about itself. */
export interface ReportFacts {
  readonly title: string;
  readonly generatedAt: string;
  readonly version: string;
  /** Files or folders that were read. */
  readonly sources: readonly string[];
  readonly machine?: string;
  readonly command: string;
}

/** Pictures take room: the most interesting comparisons have timelines, of their first runs. */
const WITH_TIMELINES = 50;
const RUNS_DRAWN = 3;

/** A page that opens from disk: no script, nothing from elsewhere, everything from benchmarks escaped. */
export function duetReport(
  analysis: DuetAnalysis,
  runs: readonly DuetIterations[],
  facts: ReportFacts,
): string {
  const groups = orderGroups(analysis.groups);
  const name = groupNamer(groups);
  const { minEffect } = analysis.options;
  const runsOf = byGroup(runs);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${facts.title}</title>
<style>${new Html([REPORT_STYLE])}</style></head><body>
<h1>${headline(groups, minEffect)}</h1>
<p class="quiet">${facts.title}. ${facts.generatedAt}.${facts.machine !== undefined && ` ${facts.machine}.`} Ratio of the time of B to the time of A, ${percent(analysis.options.level)} intervals; the shaded band is the smallest effect of interest, ${percent(minEffect)}.</p>
${groups.length > 0 && html`<div class="scroll">${forestPlot(groups, name, minEffect)}</div><h2>One by one</h2>`}
${groups.map((group, index) =>
  groupSection({
    group,
    name: name(group),
    isOpen: groups.length <= 3 || (index < 3 && isNews(group)),
    timelines: index < WITH_TIMELINES ? (runsOf.get(keyOf(group)) ?? []).slice(0, RUNS_DRAWN) : [],
  }),
)}
${groups.length > WITH_TIMELINES && html`<p class="note">Timelines are drawn for the first ${WITH_TIMELINES} comparisons; ${groups.length - WITH_TIMELINES} have none.</p>`}
${notes(analysis)}
<footer class="quiet"><p>Read: ${facts.sources.join(', ')}.</p><p>Again: <code>${facts.command}</code></p><p>Nightmark ${facts.version}</p></footer>
</body></html>
`.toString();
}

function isNews({ judgement: { verdict } }: GroupAnalysis): boolean {
  return verdict === 'slower' || verdict === 'faster';
}

function notes({ notes: found }: DuetAnalysis): Html | undefined {
  if (found.length === 0) return undefined;
  return html`<h2>What was left out, and why</h2><ul>${found.map((note) => html`<li>${note}</li>`)}</ul>`;
}

type GroupKey = Pick<DuetIterations, 'environment' | 'suite' | 'benchmark' | 'type'>;

function keyOf({ environment, suite, benchmark, type }: GroupKey): string {
  return JSON.stringify([environment, suite, benchmark, type]);
}

function byGroup(runs: readonly DuetIterations[]): ReadonlyMap<string, readonly DuetIterations[]> {
  const found = new Map<string, DuetIterations[]>();
  for (const run of runs) {
    const list = found.get(keyOf(run));
    if (list) list.push(run);
    else found.set(keyOf(run), [run]);
  }
  return found;
}
