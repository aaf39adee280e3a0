import { html } from '../../platform/core/text/html.ts';
import type { LineChart, LineSeries } from './chart.ts';
import {
  type Canvas,
  type Drawing,
  type Hit,
  missingMark,
  px,
  raw,
  type SeriesStyle,
  seriesStyle,
} from './drawing.ts';
import { extentOf, logNotes } from './extent.ts';
import { type Frame, frameOf } from './frame.ts';
import { isGap, thinOut } from './thinning.ts';

/** Points that get a mark of their own, and missing values that are marked, at most. */
const MAX_MARKERS = 60;
const MAX_MISSING = 50;
const MAX_HITS = 4000;
const DENSE = 500;

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
      notes: [
        ...logNotes(
          chart.y,
          chart.series.map(({ y }) => y),
        ),
        ...logNotes(
          chart.x,
          chart.series.map(({ x }) => x),
        ),
      ],
      isEmpty: yExtent === undefined,
    },
    canvas,
  );
  const hits: Hit[] = [];
  const budget = Math.ceil(MAX_HITS / Math.max(1, chart.series.length));
  const groups = chart.series.map((series, index) => {
    const style = seriesStyle(index, canvas.theme);
    const { markup, drawn } = drawSeries(series, style, frame);
    if (canvas.wantsHits) for (const hit of hitsOf(series, drawn, { frame, index, budget })) hits.push(hit);
    return html`<g data-series="${index}">${raw(markup)}<title>${series.name}</title></g>`;
  });
  const body = html`${frame.below}${groups}${raw(missing(chart, frame, canvas))}${frame.above}`;
  return { width: canvas.width, height: frame.height, body, hits };
}

function drawSeries(series: LineSeries, style: SeriesStyle, { x, y }: Frame) {
  const count = Math.min(series.x.length, series.y.length);
  const xs = Float64Array.from({ length: count }, (_, index) => x.place(series.x[index] ?? Number.NaN));
  const ys = Float64Array.from({ length: count }, (_, index) => y.place(series.y[index] ?? Number.NaN));
  const drawn = thinOut(xs, ys);
  const parts: string[] = [];
  if (series.low && series.high) {
    const edge = (values: readonly number[] | undefined) =>
      xs.map((_, index) => y.place(values?.[index] ?? Number.NaN));
    const path = bandPath({ xs, highs: edge(series.high), lows: edge(series.low) });
    parts.push(`<path d="${path}" fill="${style.colour}" fill-opacity="0.18"/>`);
  }
  const hasMarkers = series.hasMarkers ?? drawn.length <= MAX_MARKERS;
  // Round corners of thousands of points take most of the time of a picture, and are not seen.
  const isDense = drawn.length > DENSE;
  const path: string[] = [];
  const dots: string[] = [];
  for (const [place, index] of drawn.entries()) {
    if (isGap(xs, ys, index)) continue;
    const isStart = place === 0 || isGap(xs, ys, drawn[place - 1] ?? 0);
    const isEnd = place === drawn.length - 1 || isGap(xs, ys, drawn[place + 1] ?? 0);
    path.push(`${isStart ? 'M' : 'L'}${px(xs[index] ?? 0)} ${px(ys[index] ?? 0)}`);
    // A point between two gaps has no line: without a mark it would not be seen.
    if (hasMarkers || (isStart && isEnd)) dots.push(style.marker(xs[index] ?? 0, ys[index] ?? 0).toString());
  }
  parts.push(
    `<path d="${path.join('')}" fill="none" stroke="${style.colour}" stroke-width="${isDense ? 1.2 : 1.8}" stroke-linejoin="${isDense ? 'bevel' : 'round'}"${style.dash}/>`,
    ...dots,
  );
  return { markup: parts.join(''), drawn: drawn.filter((index) => !isGap(xs, ys, index)) };
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
        low === undefined || high === undefined ? '' : ` (${frame.y.format(low)} to ${frame.y.format(high)})`;
      const text = `${series.name}\n${frame.x.format(x)}: ${frame.y.format(y)}${spread}`;
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

/** Pixels of a band; NaN is a gap. */
export interface BandEdges {
  readonly xs: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

/**
 * The path of a band: along its upper edge and back along the lower one, for each segment without gaps. Per column of
 * pixels it is as wide as its widest point, so that ten thousand points cost no more than can be seen.
 */
function bandPath({ xs, highs, lows }: BandEdges): string {
  const path: string[] = [];
  let upper: string[] = [];
  let lower: string[] = [];
  const close = () => {
    if (upper.length > 0) path.push(`M${upper.join('L')}L${lower.toReversed().join('L')}z`);
    upper = [];
    lower = [];
  };
  for (let start = 0; start < xs.length; ) {
    const x = xs[start] ?? Number.NaN;
    // Down is up in pixels: the upper edge has the smaller number.
    let [top, bottom] = [highs[start] ?? Number.NaN, lows[start] ?? Number.NaN];
    let end = start + 1;
    while (
      end < xs.length &&
      Math.floor(xs[end] ?? Number.NaN) === Math.floor(x) &&
      Number.isFinite((highs[end] ?? Number.NaN) + (lows[end] ?? Number.NaN))
    ) {
      top = Math.min(top, highs[end] ?? top);
      bottom = Math.max(bottom, lows[end] ?? bottom);
      end++;
    }
    if (Number.isFinite(x + top + bottom)) {
      upper.push(`${px(x)} ${px(top)}`);
      lower.push(`${px(x)} ${px(bottom)}`);
    } else close();
    start = end;
  }
  close();
  return path.join('');
}
