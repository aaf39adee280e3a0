import type { SeriesView } from '../../app/read-values.ts';
import { type Html, html } from '../../core/text/html.ts';
import { counted, formatNumber } from '../../core/text/numbers.ts';
import { utc } from './moment.ts';
import { scale } from './scale.ts';
import { thinned } from './thinned.ts';

const WIDTH = 440;
const HEIGHT = 130;
const LEFT = 72;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 22;
/** With more, dots would be a smear and links too small to hit. */
const MAX_DOTS = 120;
/** A place for every second picture point of the line. */
const MAX_LINE = 400;

/** The history of one series over time: a line, and a dot with a link for each run where there is room. */
export function chart({ times, values, runIds, unit }: SeriesView): Html {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const x = scale({ low: first, high: last }, LEFT, WIDTH - RIGHT);
  const y = scale({ low, high }, HEIGHT - BOTTOM, TOP);
  const line = thinned(values, MAX_LINE).map((index) => `${x(times[index] ?? 0)},${y(values[index] ?? 0)}`);
  const dots =
    values.length > MAX_DOTS
      ? []
      : values.map((value, index) => {
          const words = `${formatNumber(value, unit)}, ${utc(times[index] ?? 0)}`;
          return html`<a href="/runs/${encodeURIComponent(runIds[index] ?? '')}" aria-label="${words}"><circle class="dot" cx="${x(times[index] ?? 0)}" cy="${y(value)}" r="2.5"><title>${words}</title></circle></a>`;
        });
  const ticks = high === low ? [high] : [high, high / 2 + low / 2, low];
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${counted(values.length, 'run')}, lowest ${formatNumber(low, unit)}, highest ${formatNumber(high, unit)}">
${ticks.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${formatNumber(tick, unit)}</text>`)}
<polyline class="line" points="${line.join(' ')}"/>${dots}
<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">${utc(first).slice(0, 10)}</text>
${last !== first && html`<text class="tick" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${utc(last).slice(0, 10)}</text>`}</svg>`;
}
