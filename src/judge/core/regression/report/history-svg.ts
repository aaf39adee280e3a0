import { px } from '../../../../charts/core/drawing.ts';
import { type Html, html } from '../../../../platform/core/text/html.ts';
import { counted } from '../../../../platform/core/text/numbers.ts';
import type { KpiAnalysis } from '../analysis.ts';

const WIDTH = 320;
const HEIGHT = 64;
const EDGE = 6;
/** More points than pixels cannot be told apart; the newest are of interest. */
const MAX_POINTS = 150;

/**
 * The history as dots, the level it ends with as a line, its spread as a band, the newest values with
 * the interval of where they are, in the colour of the verdict.
 */
export function historySvg({
  history,
  values,
  level,
  shift,
  state,
  definition,
}: KpiAnalysis): Html | undefined {
  if (history.length === 0) return undefined;
  const shown = history.slice(-MAX_POINTS);
  const skipped = history.length - shown.length;
  const all = [...shown.map(({ value }) => value), ...values];
  const spread = level ? [level.value - 2 * level.scale, level.value + 2 * level.scale] : [];
  const reach = level && shift ? [level.value + shift.low, level.value + shift.high] : [];
  const y = scale([...all, ...spread, ...reach.filter(Number.isFinite)], [HEIGHT - EDGE, EDGE]);
  const x = scale([0, shown.length + values.length - 1], [EDGE, WIDTH - EDGE]);
  const from = Math.max(0, (level?.start ?? 0) - skipped);
  const label = `${definition.name}: ${counted(history.length, 'value')} of the history and ${counted(values.length, 'newest value')}`;
  const band =
    level &&
    html`<rect class="band" x="${px(x(from))}" width="${px(x(shown.length) - x(from))}" y="${px(y(spread[1] ?? 0))}" height="${px(y(spread[0] ?? 0) - y(spread[1] ?? 0))}"/><line class="level" x1="${px(x(from))}" x2="${px(x(all.length - 1))}" y1="${px(y(level.value))}" y2="${px(y(level.value))}"/>`;
  const last = x(all.length - 1);
  const interval =
    reach.length > 0 &&
    html`<line class="interval" x1="${px(last)}" x2="${px(last)}" y1="${px(y(reach[0] ?? 0))}" y2="${px(y(reach[1] ?? 0))}"/>`;
  return html`<svg class="history ${state}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">${band}${interval}${shown.map(
    ({ value, name }, at) =>
      html`<circle class="old" cx="${px(x(at))}" cy="${px(y(value))}" r="2"><title>${name}: ${value}</title></circle>`,
  )}${values.map(
    (value, at) =>
      html`<circle class="new" cx="${px(x(shown.length + at))}" cy="${px(y(value))}" r="4"><title>${value}</title></circle>`,
  )}</svg>`;
}

function scale(values: readonly number[], [from, to]: readonly [number, number]): (value: number) => number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const size = high - low;
  return (value) =>
    size > 0 && Number.isFinite(size) ? from + ((value - low) / size) * (to - from) : (from + to) / 2;
}
