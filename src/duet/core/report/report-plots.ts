import type { Iterations } from '../../../formats/core/format.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import { type Html, html } from '../../../platform/core/text/html.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import type { GroupAnalysis, RunAnalysis } from '../analysis/duet-analysis.ts';
import { digits, effectText, verdictText } from '../analysis/group-text.ts';
import type { DuetIterations } from '../duet-iterations.ts';
import { type LogScale, logScale } from './log-scale.ts';

const FOREST_ROW = 24;
const FOREST_TOP = 30;
const FOREST_NAMES = 300;
const FOREST_RIGHT = 1000;

/** All comparisons on one axis: estimate and interval of each, the smallest effect of interest as a band. */
export function forestPlot(
  groups: readonly GroupAnalysis[],
  label: (group: GroupAnalysis) => string,
  minEffect: number,
): Html {
  const effects = groups.flatMap(({ judgement: { effect } }) => (effect ? [effect.low, effect.high] : []));
  const scale = logScale(effects, Math.max(minEffect * 1.5, 0.01), [FOREST_NAMES + 20, FOREST_RIGHT - 170]);
  const bottom = FOREST_TOP + groups.length * FOREST_ROW;
  const [from, to] = [scale.place(1 / (1 + minEffect)), scale.place(1 + minEffect)];
  return html`<svg class="forest" viewBox="0 0 ${FOREST_RIGHT} ${bottom + 24}" role="img" aria-label="Ratios of B to A with their intervals">
<rect class="band" x="${from}" y="${FOREST_TOP - 8}" width="${to - from}" height="${bottom - FOREST_TOP + 8}"><title>Smallest effect of interest</title></rect>
${scale.ticks.map((tick) => gridLine(scale, tick, bottom))}
<text class="axis" x="${FOREST_NAMES + 20}" y="12">B faster</text><text class="axis end" x="${FOREST_RIGHT - 170}" y="12">B slower</text>
${groups.map((group, index) => row(group, label(group), { scale, y: FOREST_TOP + index * FOREST_ROW + FOREST_ROW / 2 }))}
</svg>`;
}

function gridLine(scale: LogScale, tick: number, bottom: number): Html {
  const x = scale.place(tick);
  const text = tick === 1 ? '1' : Number(tick.toPrecision(4));
  return html`<line class="${tick === 1 ? 'one' : 'grid'}" x1="${x}" x2="${x}" y1="${FOREST_TOP - 8}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 16}">${text}</text>`;
}

function row(group: GroupAnalysis, name: string, { scale, y }: { scale: LogScale; y: number }): Html {
  const { effect, verdict } = group.judgement;
  const short = name.length > 44 ? `${name.slice(0, 43)}…` : name;
  const title = html`<title>${name}: ${verdictText(group.judgement)}${effect ? `, ${effectText(effect)}` : ''}</title>`;
  const label = html`<text class="name" x="${FOREST_NAMES}" y="${y + 4}">${short}${title}</text>`;
  if (!effect)
    return html`<g class="${verdict}">${label}<text class="value" x="${FOREST_RIGHT - 160}" y="${y + 4}">no interval</text></g>`;
  const [x1, x, x2] = [scale.place(effect.low), scale.place(effect.ratio), scale.place(effect.high)];
  return html`<g class="${verdict}">${label}<line class="interval" x1="${x1}" x2="${x2}" y1="${y}" y2="${y}"/>${cap(scale, effect.low, y)}${cap(scale, effect.high, y)}<rect class="estimate" x="${x - 4}" y="${y - 4}" width="8" height="8">${title}</rect><text class="value" x="${FOREST_RIGHT - 160}" y="${y + 4}">${digits(effect.ratio)} ${verdict}</text></g>`;
}

/** The end of an interval: a bar, or an arrow where it goes on beyond the picture. */
function cap(scale: LogScale, ratio: number, y: number): Html {
  const x = scale.place(ratio);
  if (scale.isInside(ratio))
    return html`<line class="interval" x1="${x}" x2="${x}" y1="${y - 4}" y2="${y + 4}"/>`;
  const back = ratio > 1 ? x - 6 : x + 6;
  return html`<path class="interval open" d="M${back} ${y - 5}L${x} ${y}L${back} ${y + 5}"/>`;
}

const DOTS_WIDTH = 640;
const DOTS_HEIGHT = 120;
const DOTS_BASE = 96;
const MAX_DOTS = 400;

/** The ratio of every run as a dot, stacked where they are near, with the interval below. */
export function ratioPlot({ runs, judgement: { effect, minEffect } }: GroupAnalysis): Html | undefined {
  const ratios = runs.flatMap(({ logRatio }) =>
    logRatio === undefined || !Number.isFinite(logRatio) ? [] : [Math.exp(logRatio)],
  );
  if (ratios.length === 0) return undefined;
  const shown = thin([...ratios].sort((a, b) => a - b));
  const scale = logScale(
    [...shown, ...(effect ? [effect.low, effect.high] : [])],
    Math.max(minEffect, 0.002),
    [10, DOTS_WIDTH - 10],
  );
  const [from, to] = [scale.place(1 / (1 + minEffect)), scale.place(1 + minEffect)];
  return html`<figure><figcaption>Ratio B / A of ${counted(ratios.length, 'run')}${shown.length < ratios.length ? ` (${shown.length} shown)` : ''}</figcaption>
<svg class="chart" viewBox="0 0 ${DOTS_WIDTH} ${DOTS_HEIGHT}" role="img" aria-label="Ratios of the runs">
<rect class="band" x="${from}" y="0" width="${to - from}" height="${DOTS_BASE}"/>
${scale.ticks.map((tick) => html`<line class="${tick === 1 ? 'one' : 'grid'}" x1="${scale.place(tick)}" x2="${scale.place(tick)}" y1="0" y2="${DOTS_BASE}"/><text class="tick" x="${scale.place(tick)}" y="${DOTS_HEIGHT - 8}">${Number(tick.toPrecision(4))}</text>`)}
${stacked(shown.map((ratio) => scale.place(ratio))).map(
  ([x, y], index) =>
    html`<circle class="dot" cx="${x}" cy="${y}" r="3"><title>${digits(shown[index] ?? Number.NaN)}</title></circle>`,
)}
${effect && html`<line class="interval" x1="${scale.place(effect.low)}" x2="${scale.place(effect.high)}" y1="${DOTS_BASE - 2}" y2="${DOTS_BASE - 2}"/>`}
</svg></figure>`;
}

/** Evenly over the sorted values, ends included, so that the shape stays. */
function thin(sorted: readonly number[]): readonly number[] {
  if (sorted.length <= MAX_DOTS) return sorted;
  return Array.from(
    { length: MAX_DOTS },
    (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (MAX_DOTS - 1))] as number,
  );
}

/** Dots that would cover each other are put on top of each other; a full column begins again at the bottom. */
function stacked(xs: readonly number[]): readonly (readonly [number, number])[] {
  const heights = new Map<number, number>();
  return xs.map((x) => {
    const column = Math.round(x / 6);
    const height = heights.get(column) ?? 0;
    heights.set(column, height + 1);
    return [x, DOTS_BASE - 10 - (height % 13) * 6.5] as const;
  });
}

const TIMELINE_WIDTH = 1000;
const TRACK = 16;
/** More rectangles than this in a track are narrower than a pixel and only make the page heavy. */
const MAX_PER_TRACK = 150;

/** When each iteration of both sides ran: track A above track B, warm-up pale. Undefined where the harness does not report it. */
export function timelinePlot(run: DuetIterations, analysis: RunAnalysis | undefined): Html | undefined {
  const sides = (['A', 'B'] as const).flatMap((side) => {
    const iterations = run[side];
    return iterations?.starts && iterations.ends && iterations.numbers.length > 0
      ? [{ side, iterations }]
      : [];
  });
  if (sides.length === 0) return undefined;
  const from = Math.min(...sides.map(({ iterations }) => iterations.starts?.[0] ?? 0));
  const to = Math.max(...sides.map(({ iterations }) => lastEnd(iterations)));
  const perPixel = Math.max(1, to - from) / (TIMELINE_WIDTH - 40);
  const height = sides.length * (TRACK + 4) + 4;
  const tracks = sides.map(({ side, iterations }, index) => {
    const steadyFrom =
      (side === 'A' ? analysis?.steadyFromA : analysis?.steadyFromB) ?? Number.NEGATIVE_INFINITY;
    return track({ side, iterations, steadyFrom, y: 4 + index * (TRACK + 4), from, perPixel });
  });
  return html`<figure><figcaption>Run ${run.runid}${run.order === 'None' ? '' : `, ${run.order[0]} first`}, ${formatDuration((to - from) / 1e6)}</figcaption>
<svg class="timeline" viewBox="0 0 ${TIMELINE_WIDTH} ${height}" role="img" aria-label="Iterations of run ${run.runid} over time">${tracks}</svg></figure>`;
}

interface Track {
  readonly side: Side;
  readonly iterations: Iterations;
  readonly steadyFrom: number;
  readonly y: number;
  readonly from: number;
  readonly perPixel: number;
}

function track({ side, iterations, steadyFrom, y, from, perPixel }: Track): Html {
  const { starts = new Float64Array(), ends = new Float64Array(), numbers } = iterations;
  const count = numbers.length;
  const every = Math.max(1, Math.ceil(count / MAX_PER_TRACK));
  const boxes: Html[] = [];
  for (let first = 0; first < count; first += every) {
    const last = Math.min(first + every, count) - 1;
    const x = 30 + ((starts[first] ?? 0) - from) / perPixel;
    const width = Math.max(0.6, ((ends[last] ?? 0) - (starts[first] ?? 0)) / perPixel - 0.6);
    const isWarmup = (numbers[last] ?? 0) < steadyFrom;
    const which = first === last ? `${numbers[first]}` : `${numbers[first]} to ${numbers[last]}`;
    const time = formatDuration(((ends[last] ?? 0) - (starts[first] ?? 0)) / 1e6);
    boxes.push(
      html`<rect class="${side}${isWarmup ? ' warmup' : ''}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${TRACK}"><title>${side} ${which}: ${time}${isWarmup ? ', warm-up' : ''}</title></rect>`,
    );
  }
  return html`<text class="name" x="20" y="${y + 12}">${side}</text>${boxes}`;
}

function lastEnd({ ends }: Iterations): number {
  let last = 0;
  for (const end of ends ?? []) last = Math.max(last, end);
  return last;
}
