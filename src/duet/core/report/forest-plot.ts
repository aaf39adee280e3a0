import { type Html, html } from '../../../platform/core/text/html.ts';
import type { GroupAnalysis } from '../duet-analysis.ts';
import { type LogScale, logScale } from './log-scale.ts';
import { digits, effectWords, verdictWords } from './words.ts';

const ROW = 24;
const TOP = 30;
const NAMES = 300;
const RIGHT = 1000;

/** All comparisons on one axis: estimate and interval of each, the smallest effect of interest as a band. */
export function forestPlot(
  groups: readonly GroupAnalysis[],
  label: (group: GroupAnalysis) => string,
  minEffect: number,
): Html {
  const effects = groups.flatMap(({ judgement: { effect } }) => (effect ? [effect.low, effect.high] : []));
  const scale = logScale(effects, Math.max(minEffect * 1.5, 0.01), [NAMES + 20, RIGHT - 170]);
  const bottom = TOP + groups.length * ROW;
  const [from, to] = [scale.place(1 / (1 + minEffect)), scale.place(1 + minEffect)];
  return html`<svg class="forest" viewBox="0 0 ${RIGHT} ${bottom + 24}" role="img" aria-label="Ratios of B to A with their intervals">
<rect class="band" x="${from}" y="${TOP - 8}" width="${to - from}" height="${bottom - TOP + 8}"><title>Smallest effect of interest</title></rect>
${scale.ticks.map((tick) => gridLine(scale, tick, bottom))}
<text class="axis" x="${NAMES + 20}" y="12">B faster</text><text class="axis end" x="${RIGHT - 170}" y="12">B slower</text>
${groups.map((group, index) => row(group, label(group), { scale, y: TOP + index * ROW + ROW / 2 }))}
</svg>`;
}

function gridLine(scale: LogScale, tick: number, bottom: number): Html {
  const x = scale.place(tick);
  const text = tick === 1 ? '1' : Number(tick.toPrecision(4));
  return html`<line class="${tick === 1 ? 'one' : 'grid'}" x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 16}">${text}</text>`;
}

function row(group: GroupAnalysis, name: string, { scale, y }: { scale: LogScale; y: number }): Html {
  const { effect, verdict } = group.judgement;
  const short = name.length > 44 ? `${name.slice(0, 43)}…` : name;
  const title = html`<title>${name}: ${verdictWords(group.judgement)}${effect ? `, ${effectWords(effect)}` : ''}</title>`;
  const label = html`<text class="name" x="${NAMES}" y="${y + 4}">${short}${title}</text>`;
  if (!effect)
    return html`<g class="${verdict}">${label}<text class="value" x="${RIGHT - 160}" y="${y + 4}">no interval</text></g>`;
  const [x1, x, x2] = [scale.place(effect.low), scale.place(effect.ratio), scale.place(effect.high)];
  return html`<g class="${verdict}">${label}<line class="interval" x1="${x1}" x2="${x2}" y1="${y}" y2="${y}"/>${cap(scale, effect.low, y)}${cap(scale, effect.high, y)}<rect class="estimate" x="${x - 4}" y="${y - 4}" width="8" height="8">${title}</rect><text class="value" x="${RIGHT - 160}" y="${y + 4}">${digits(effect.ratio)} ${verdict}</text></g>`;
}

/** The end of an interval: a bar, or an arrow where it goes on beyond the picture. */
function cap(scale: LogScale, ratio: number, y: number): Html {
  const x = scale.place(ratio);
  if (scale.isInside(ratio))
    return html`<line class="interval" x1="${x}" x2="${x}" y1="${y - 4}" y2="${y + 4}"/>`;
  const back = ratio > 1 ? x - 6 : x + 6;
  return html`<path class="interval open" d="M${back} ${y - 5}L${x} ${y}L${back} ${y + 5}"/>`;
}
