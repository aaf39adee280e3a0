import { type Html, html } from '../../../platform/core/text/html.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import type { GroupAnalysis } from '../duet-analysis.ts';
import { logScale } from './log-scale.ts';
import { digits } from './words.ts';

const WIDTH = 640;
const HEIGHT = 120;
const BASE = 96;
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
    [10, WIDTH - 10],
  );
  const [from, to] = [scale.place(1 / (1 + minEffect)), scale.place(1 + minEffect)];
  return html`<figure><figcaption>Ratio B / A of ${counted(ratios.length, 'run')}${shown.length < ratios.length ? ` (${shown.length} shown)` : ''}</figcaption>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Ratios of the runs">
<rect class="band" x="${from}" y="0" width="${to - from}" height="${BASE}"/>
${scale.ticks.map((tick) => html`<line class="${tick === 1 ? 'one' : 'grid'}" x1="${scale.place(tick)}" x2="${scale.place(tick)}" y1="0" y2="${BASE}"/><text class="tick" x="${scale.place(tick)}" y="${HEIGHT - 8}">${Number(tick.toPrecision(4))}</text>`)}
${stacked(shown.map((ratio) => scale.place(ratio))).map(
  ([x, y], index) =>
    html`<circle class="dot" cx="${x}" cy="${y}" r="3"><title>${digits(shown[index] ?? Number.NaN)}</title></circle>`,
)}
${effect && html`<line class="interval" x1="${scale.place(effect.low)}" x2="${scale.place(effect.high)}" y1="${BASE - 2}" y2="${BASE - 2}"/>`}
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
    return [x, BASE - 10 - (height % 13) * 6.5] as const;
  });
}
