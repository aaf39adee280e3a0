import { Html, html } from '../../../platform/core/text/html.ts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { orderGroups } from '../analysis/analyze-iterations.ts';
import type { DuetAnalysis, GroupAnalysis } from '../analysis/duet-analysis.ts';
import {
  digits,
  effectText,
  groupNamer,
  headline,
  percent,
  probability,
  verdictText,
} from '../analysis/group-text.ts';
import { type DuetIterations, groupKey, groupRuns } from '../duet-iterations.ts';
import { forestPlot, ratioPlot, timelinePlot } from './report-plots.ts';

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
  const runsOf = new Map(groupRuns(runs).map((group) => [groupKey(group[0]), group]));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${facts.title}</title>
<style>${new Html([REPORT_STYLE])}</style></head><body>
<h1>${headline(groups, minEffect)}</h1>
<p class="quiet">${facts.title}. ${facts.generatedAt}.${facts.machine !== undefined && ` ${facts.machine}.`} Ratio of the time of B to the time of A, ${percent(analysis.options.level)} intervals; the shaded band is the smallest effect of interest, ${percent(minEffect)}.</p>
${groups.length > 0 && html`<div class="scroll">${forestPlot(groups, name, minEffect)}</div><h2>Each comparison</h2>`}
${groups.map((group, index) =>
  groupSection({
    group,
    name: name(group),
    isOpen: groups.length <= 3 || (index < 3 && isNews(group)),
    timelines: index < WITH_TIMELINES ? (runsOf.get(groupKey(group)) ?? []).slice(0, RUNS_DRAWN) : [],
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

interface GroupSection {
  readonly group: GroupAnalysis;
  readonly name: string;
  readonly isOpen: boolean;
  /** The runs whose timelines are drawn. */
  readonly timelines: readonly DuetIterations[];
}

/** One comparison with all its data. */
function groupSection({ group, name, isOpen, timelines }: GroupSection): Html {
  const { judgement } = group;
  const drawn = timelines.flatMap((run) => {
    const analysis = group.runs.find(({ runid }) => runid === run.runid);
    return timelinePlot(run, analysis) ?? [];
  });
  return html`<details${isOpen ? html` open` : ''} class="group ${judgement.verdict}"><summary><b>${name}</b> <span class="verdict">${verdictText(judgement)}</span> ${judgement.effect && html`<span class="quiet">${effectText(judgement.effect)}</span>`}</summary>
<div class="columns"><table class="facts"><tbody>${facts(group).map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}</tbody></table>
${ratioPlot(group)}</div>
${judgement.notes.map((note) => html`<p class="note">${note}</p>`)}
${drawn.length > 0 && html`<h3>Iterations over time</h3>${drawn}`}
${others(group)}</details>`;
}

function facts({
  judgement,
  cpu,
  adjustedP,
  counts,
  meanA,
  meanB,
  variation,
}: GroupAnalysis): readonly (readonly [string, string])[] {
  const { effect, p, runs } = judgement;
  const seconds = (nanoseconds: number | undefined) =>
    nanoseconds === undefined ? 'none' : formatNumber(nanoseconds / 1e9, 's');
  return [
    ...(effect
      ? [
          [
            'Ratio B / A',
            `${digits(effect.ratio)}, ${percent(effect.level)} interval ${digits(effect.low)} to ${digits(effect.high)}`,
          ] as const,
        ]
      : []),
    ...(cpu?.effect
      ? [
          [
            'CPU time B / A',
            `${digits(cpu.effect.ratio)}, ${percent(cpu.effect.level)} interval ${digits(cpu.effect.low)} to ${digits(cpu.effect.high)}; of whole runs`,
          ] as const,
        ]
      : []),
    ...(p === undefined ? [] : [['p', probability(p)] as const]),
    ...(adjustedP === undefined ? [] : [['p for all comparisons', probability(adjustedP)] as const]),
    ['Runs used', `${runs} of ${counts.runs}`],
    [
      'Pairs',
      `${counts.pairs}${counts.weakPairs > 0 ? `, ${counts.weakPairs} more overlapped too little` : ''}`,
    ],
    ['Iterations A, B', `${counts.iterationsA}, ${counts.iterationsB}; ${counts.warmup} cut as warm-up`],
    ['Mean A, B', `${seconds(meanA)}, ${seconds(meanB)}`],
    ...(variation === undefined ? [] : [['Variation', percent(variation)] as const]),
  ];
}

function others({ thesis, icpe, mannWhitney }: GroupAnalysis): Html | undefined {
  const rows: (readonly [string, string, boolean])[] = [];
  if (thesis)
    rows.push([
      'Mean difference A - B, BCa',
      `${formatNumber(thesis.low / 1e9, 's')} to ${formatNumber(thesis.high / 1e9, 's')}`,
      thesis.equal,
    ]);
  if (icpe)
    rows.push([
      'Geometric mean A / B, 99 % percentile',
      `${digits(icpe.ratio)} [${digits(icpe.low)}, ${digits(icpe.high)}]`,
      icpe.equal,
    ]);
  if (mannWhitney)
    rows.push(['Mann-Whitney of all iterations', `p ${probability(mannWhitney.p)}`, mannWhitney.equal]);
  if (rows.length === 0) return undefined;
  return html`<details class="others"><summary>Other estimators</summary><table><tbody>${rows.map(
    ([name, value, isEqual]) =>
      html`<tr><th scope="row">${name}</th><td>${value}</td><td>${isEqual ? 'equal' : 'different'}</td></tr>`,
  )}</tbody></table></details>`;
}

/** The style of a report; the same colours as the page. */
const REPORT_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #59636e; --back: #fff; --band: #eef1f4; --rule: #d5dae0;
  --worse: #a8330b; --better: #00684a; --a: #0b6fb3; --b: #b35c00; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --quiet: #9aa5b1; --back: #14171a; --band: #22282d; --rule: #343b42;
  --worse: #ff9d6c; --better: #4fd1a5; --a: #56b4e9; --b: #e69f00; --link: #74b9f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; } p { margin: .5rem 0; overflow-wrap: anywhere; }
.quiet, figcaption { color: var(--quiet); font-size: .87rem; } .note { border-left: 3px solid var(--rule); padding-left: .5rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } svg { display: block; max-width: 100%; height: auto; } .forest { min-width: 46rem; width: 100%; }
.chart { width: 100%; max-width: 40rem; } .timeline { width: 100%; min-width: 30rem; } figure { margin: .5rem 0; overflow-x: auto; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
details.group { border-bottom: 1px solid var(--rule); padding: .35rem 0; } details > :not(summary) { margin-left: 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; font-weight: 400; }
th { color: var(--quiet); } tr { border-bottom: 1px solid var(--rule); }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); } .name, .end { text-anchor: end; } .tick { text-anchor: middle; }
svg .tick, svg .axis { fill: var(--quiet); font-size: 11px; } .grid { stroke: var(--rule); } .one { stroke: var(--quiet); stroke-width: 1.3; }
.band { fill: var(--band); } .interval { stroke: var(--quiet); stroke-width: 2; fill: none; } .estimate { fill: var(--quiet); } .dot { fill: var(--a); fill-opacity: .75; }
.slower .interval { stroke: var(--worse); } .slower .estimate, .slower svg .value { fill: var(--worse); } .slower .verdict { color: var(--worse); font-weight: 600; }
.faster .interval { stroke: var(--better); } .faster .estimate { fill: var(--better); } .faster .verdict { color: var(--better); font-weight: 600; }
.undecided .interval { stroke-dasharray: 4 3; } rect.A { fill: var(--a); } rect.B { fill: var(--b); } .warmup { fill-opacity: .35; }
footer { margin-top: 2rem; }
@media print { details:not([open]) > :not(summary) { display: block; } }
`;
