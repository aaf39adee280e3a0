import type { LineChart, LineSeries } from '../model/chart.ts';
import { html } from '../text/html.ts';
import { counted } from '../text/numbers.ts';
import { type Canvas, type Drawing, type Hit, px, raw } from './drawing.ts';
import { extentOf } from './extent.ts';
import { type Frame, frameOf } from './frame.ts';
import { missingMark, type SeriesLook, seriesLook } from './series-look.ts';
import { isGap, thinOut } from './thin-out.ts';

/** Points that get a mark of their own, and missing values that are marked, at most. */
const MAX_MARKERS = 60;
const MAX_MISSING = 50;
const MAX_HITS = 4000;

export function drawLines(chart: LineChart, canvas: Canvas): Drawing {
  const isLog = chart.y.scale === 'log';
  const yExtent = extentOf(
    chart.series.flatMap(({ y, low, high }) => [y, low, high]),
    isLog,
  );
  const frame = frameOf(
    {
      chart,
      x: chart.x,
      y: chart.y,
      xExtent: extentOf(
        chart.series.map(({ x }) => x),
        chart.x.scale === 'log',
      ),
      yExtent,
      names: chart.series.map(({ name }) => name),
      notes: notesOf(chart),
      isEmpty: yExtent === undefined,
    },
    canvas,
  );
  const hits: Hit[] = [];
  const budget = Math.ceil(MAX_HITS / Math.max(1, chart.series.length));
  const groups = chart.series.map((series, index) => {
    const look = seriesLook(index, canvas.theme);
    const { markup, drawn } = drawSeries(series, look, frame);
    for (const hit of hitsOf(series, drawn, { frame, index, budget })) hits.push(hit);
    return html`<g data-series="${index}">${raw(markup)}<title>${series.name}</title></g>`;
  });
  const body = html`${frame.below}${groups}${raw(missing(chart, frame, canvas))}${frame.above}`;
  return { width: canvas.width, height: frame.height, body, hits };
}

function drawSeries(series: LineSeries, look: SeriesLook, { x, y }: Frame) {
  const count = Math.min(series.x.length, series.y.length);
  const xs = Float64Array.from({ length: count }, (_, index) => x.place(series.x[index] ?? Number.NaN));
  const ys = Float64Array.from({ length: count }, (_, index) => y.place(series.y[index] ?? Number.NaN));
  const drawn = thinOut(xs, ys);
  const parts: string[] = [];
  if (series.low && series.high) parts.push(band(series, xs, { y, look }));
  const hasMarkers = series.hasMarkers ?? drawn.length <= MAX_MARKERS;
  const path: string[] = [];
  const dots: string[] = [];
  for (const [place, index] of drawn.entries()) {
    if (isGap(xs, ys, index)) continue;
    const isStart = place === 0 || isGap(xs, ys, drawn[place - 1] ?? 0);
    const isEnd = place === drawn.length - 1 || isGap(xs, ys, drawn[place + 1] ?? 0);
    path.push(`${isStart ? 'M' : 'L'}${px(xs[index] ?? 0)} ${px(ys[index] ?? 0)}`);
    // A point between two gaps has no line: without a mark it would not be seen.
    if (hasMarkers || (isStart && isEnd)) dots.push(look.marker(xs[index] ?? 0, ys[index] ?? 0).toString());
  }
  parts.push(
    `<path d="${path.join('')}" fill="none" stroke="${look.colour}" stroke-width="1.8" stroke-linejoin="round"${look.dash}/>`,
    ...dots,
  );
  return { markup: parts.join(''), drawn: drawn.filter((index) => !isGap(xs, ys, index)) };
}

/** The band of a stretch without gaps, there along the upper edge and back along the lower one. */
function band(
  series: LineSeries,
  xs: Float64Array,
  { y, look }: { y: Frame['y']; look: SeriesLook },
): string {
  const highs = xs.map((_, index) => y.place(series.high?.[index] ?? Number.NaN));
  const lows = xs.map((_, index) => y.place(series.low?.[index] ?? Number.NaN));
  const path: string[] = [];
  let stretch: number[] = [];
  const close = () => {
    const edge = (ys: Float64Array, order: readonly number[]) =>
      order.map((index) => `${px(xs[index] ?? 0)} ${px(ys[index] ?? 0)}`).join('L');
    if (stretch.length > 0) path.push(`M${edge(highs, stretch)}L${edge(lows, stretch.toReversed())}z`);
    stretch = [];
  };
  for (const index of thinnedTogether(xs, highs, lows)) {
    if (isGap(xs, highs, index) || isGap(xs, lows, index)) close();
    else stretch.push(index);
  }
  close();
  return `<path d="${path.join('')}" fill="${look.colour}" fill-opacity="0.18"/>`;
}

function thinnedTogether(xs: Float64Array, highs: Float64Array, lows: Float64Array): readonly number[] {
  return [...new Set([...thinOut(xs, highs), ...thinOut(xs, lows)])].sort((a, b) => a - b);
}

function hitsOf(
  series: LineSeries,
  drawn: readonly number[],
  { frame, index, budget }: { frame: Frame; index: number; budget: number },
): readonly Hit[] {
  const every = Math.max(1, Math.ceil(drawn.length / budget));
  return drawn
    .filter((_, place) => place % every === 0)
    .map((point) => {
      const [x, y] = [series.x[point] ?? Number.NaN, series.y[point] ?? Number.NaN];
      const [low, high] = [series.low?.[point], series.high?.[point]];
      const spread =
        low === undefined || high === undefined ? '' : ` (${frame.y.say(low)} to ${frame.y.say(high)})`;
      const text = `${series.name}\n${frame.x.say(x)}: ${frame.y.say(y)}${spread}`;
      return { x: frame.x.place(x), y: frame.y.place(y), series: index, text };
    });
}

function missing({ series }: LineChart, frame: Frame, { theme }: Canvas): string {
  const places = new Set<string>();
  for (const { x, y } of series) {
    for (const [index, value] of x.entries()) {
      if (Number.isNaN(y[index] ?? Number.NaN) && Number.isFinite(frame.x.place(value))) {
        if (places.size === MAX_MISSING) return '';
        places.add(missingMark(frame.x.place(value), frame.area.bottom - 6, theme.muted));
      }
    }
  }
  return places.size === 0 ? '' : `<g>${[...places].join('')}<title>no value here</title></g>`;
}

function notesOf({ series, x, y }: LineChart): readonly string[] {
  const lost = series.reduce(
    (sum, line) =>
      sum +
      (y.scale === 'log' ? line.y.filter((value) => value <= 0).length : 0) +
      (x.scale === 'log' ? line.x.filter((value) => value <= 0).length : 0),
    0,
  );
  return lost === 0
    ? []
    : [`Not drawn, as a logarithmic axis has no place for 0 and below: ${counted(lost, 'value')}.`];
}
