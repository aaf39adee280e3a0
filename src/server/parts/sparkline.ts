import type { SeriesView } from '../../app/read-values.ts';
import { type Html, html } from '../../core/text/html.ts';
import { formatNumber } from '../../core/text/numbers.ts';
import { scale } from './scale.ts';

const WIDTH = 120;
const HEIGHT = 24;
const MARGIN = 3;

/** What a night did, as far as a sparkline shows it. Oldest first. */
export interface SparkNight {
  readonly runId: string;
  readonly hasFailed: boolean;
}

/**
 * One place for every night: a line through the values, a gap where there is none, a cross where the experiment
 * failed, a dot on the newest.
 */
export function sparkline(series: SeriesView, nights: readonly SparkNight[]): Html {
  const values = new Map(series.runIds.map((id, index) => [id, series.values[index]]));
  const shown = nights.map(({ runId }) => values.get(runId));
  const present = shown.filter((value) => value !== undefined);
  if (present.length === 0) return html`<span class="quiet">no values in ${nights.length} nights</span>`;
  const low = Math.min(...present);
  const high = Math.max(...present);
  const x = scale({ low: 0, high: nights.length - 1 }, MARGIN, WIDTH - MARGIN);
  const y = scale({ low, high }, HEIGHT - MARGIN, MARGIN);
  const lines = stretches(shown).map((stretch) => {
    const points = stretch.map(([index, value]) => `${x(index)},${y(value)}`).join(' ');
    return stretch.length === 1
      ? html`<circle class="dot" cx="${x(stretch[0]?.[0] ?? 0)}" cy="${y(stretch[0]?.[1] ?? 0)}" r="1"/>`
      : html`<polyline class="line" points="${points}"/>`;
  });
  const crosses = nights.map(
    ({ hasFailed }, index) =>
      hasFailed &&
      html`<path class="cross" d="M${x(index) - 2} ${HEIGHT - 6}l4 4m0 -4l-4 4"><title>failed</title></path>`,
  );
  const newest = shown.findLastIndex((value) => value !== undefined);
  const failed = nights.filter(({ hasFailed }) => hasFailed).length;
  const words = `${present.length} of ${nights.length} nights: lowest ${formatNumber(low, series.unit)}, highest ${formatNumber(high, series.unit)}${failed > 0 ? `, ${failed} failed` : ''}`;
  return html`<svg class="spark" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}"><title>${words}</title>${lines}${crosses}<circle class="newest" cx="${x(newest)}" cy="${y(shown[newest] ?? low)}" r="2"/></svg>`;
}

/** Runs of neighbouring values with their places. */
function stretches(values: readonly (number | undefined)[]): (readonly [number, number])[][] {
  const found: (readonly [number, number])[][] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    if (index > 0 && values[index - 1] !== undefined) found.at(-1)?.push([index, value]);
    else found.push([[index, value]]);
  }
  return found;
}
