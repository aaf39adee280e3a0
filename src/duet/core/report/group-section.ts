import { type Html, html } from '../../../platform/core/text/html.ts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import type { GroupAnalysis } from '../duet-analysis.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { ratioPlot } from './ratio-plot.ts';
import { timelinePlot } from './timeline-plot.ts';
import { digits, effectWords, percent, probability, verdictWords } from './words.ts';

export interface GroupSection {
  readonly group: GroupAnalysis;
  readonly name: string;
  readonly isOpen: boolean;
  /** The runs whose timelines are drawn. */
  readonly timelines: readonly DuetIterations[];
}

/** One comparison with everything that is known about it. */
export function groupSection({ group, name, isOpen, timelines }: GroupSection): Html {
  const { judgement } = group;
  const drawn = timelines.flatMap((run) => {
    const analysis = group.runs.find(({ runid }) => runid === run.runid);
    return timelinePlot(run, analysis) ?? [];
  });
  return html`<details${isOpen ? html` open` : ''} class="group ${judgement.verdict}"><summary><b>${name}</b> <span class="verdict">${verdictWords(judgement)}</span> ${judgement.effect && html`<span class="quiet">${effectWords(judgement.effect)}</span>`}</summary>
<div class="columns"><table class="facts"><tbody>${facts(group).map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}</tbody></table>
${ratioPlot(group)}</div>
${judgement.notes.map((note) => html`<p class="note">${note}</p>`)}
${drawn.length > 0 && html`<h3>Iterations over time</h3>${drawn}`}
${others(group)}</details>`;
}

function facts({
  judgement,
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
