import { type Html, html } from '../../platform/core/text/html.ts';
import type { BarChart, BarSeries } from './chart.ts';
import { barText } from './chart-numbers.ts';
import {
  type Canvas,
  type Drawing,
  type Hit,
  label,
  missingMark,
  px,
  raw,
  seriesStyle,
  textWidth,
} from './drawing.ts';
import { type Extent, extentOf, logNotes } from './extent.ts';
import { type Frame, type FrameRequest, frameOf } from './frame.ts';
import type { Scale } from './scale.ts';

export function drawBars(chart: BarChart, canvas: Canvas): Drawing {
  const plan = planValues(chart, canvas);
  const frame = frameOf(request(chart, canvas, plan), canvas);
  const places = (chart.x.categories ?? []).map((_, place) => place);
  const hits: Hit[] = [];
  const values: Html[] = [];
  const groups = chart.series.map((series, index) => {
    const bars = places.map((place) => {
      const bar = { series, index, place, of: chart.series.length };
      if (plan) values.push(drawValueOf(bar, frame, { plan, theme: canvas.theme }));
      return drawBar(bar, frame, canvas);
    });
    for (const { hit } of bars) if (hit) hits.push(hit);
    return html`<g data-series="${index}">${bars.map(({ markup }) => markup)}</g>`;
  });
  const zero = chart.y.scale === 'log' ? frame.area.bottom : frame.y.place(0);
  const line = `<path d="M${px(frame.area.left)} ${px(zero)}H${px(frame.area.right)}" stroke="${canvas.theme.muted}"/>`;
  const body = html`${frame.below}${groups}${raw(line)}${values}${frame.above}`;
  return { width: canvas.width, height: frame.height, body, hits };
}

function request(chart: BarChart, { height }: Canvas, plan: ValuePlan | undefined): FrameRequest {
  const isLog = chart.y.scale === 'log';
  const found = extentOf(
    chart.series.flatMap(({ values, low, high }) => [values, low, high]),
    isLog,
  );
  const extent = found && isLog ? withFoot(found) : found;
  const isLeftOut = chart.valueFigures !== undefined && plan === undefined;
  return {
    chart,
    x: { ...chart.x, scale: 'category' },
    // A bar is read by its length: it begins at zero, where zero has a place.
    y: isLog ? chart.y : { ...chart.y, startsAtZero: true },
    yExtent: extent && plan ? withRoom(extent, plan, { height, isLog }) : extent,
    names: chart.series.map(({ name }) => name),
    notes: [
      ...logNotes(
        chart.y,
        chart.series.map(({ values }) => values),
      ),
      ...(isLeftOut ? ['Values are left out: there are too many bars for them.'] : []),
    ],
    isEmpty: extent === undefined,
  };
}

/** On a logarithmic axis bars stand on a power of ten below the smallest, which else would have no height. */
function withFoot({ low, high }: Extent): Extent {
  return { low: 10 ** Math.floor(Math.log10(low * 0.8)) || low, high };
}

interface Bar {
  readonly series: BarSeries;
  readonly index: number;
  readonly place: number;
  readonly of: number;
}

function leftOf({ index, place, of }: Bar, x: Scale): number {
  return x.place(place) - x.step * 0.4 + (index * x.step * 0.8) / of;
}

function drawValueOf(
  bar: Bar,
  { x, y }: Frame,
  { plan, theme }: { readonly plan: ValuePlan; readonly theme: Canvas['theme'] },
): Html {
  const { series, place, of } = bar;
  const value = series.values[place] ?? Number.NaN;
  const moved = series.labelOffsets?.[place] ?? series.offsets?.[place] ?? 0;
  const middle = leftOf(bar, x) + (moved + 0.4 / of) * x.step;
  return drawValue({ value, middle, end: y.place(value) }, plan, { y, theme });
}

function drawBar(bar: Bar, { x, y, area }: Frame, { theme }: Canvas): { markup: Html; hit?: Hit } {
  const { series, index, place, of } = bar;
  const value = series.values[place] ?? Number.NaN;
  const width = (x.step * 0.8) / of;
  const left = leftOf(bar, x) + (series.offsets?.[place] ?? 0) * x.step;
  const middle = left + width / 2;
  const foot = Number.isNaN(y.place(0)) ? area.bottom : y.place(0);
  const end = y.place(value);
  const where = `${series.name === '' ? '' : `${series.name}\n`}${x.format(place)}: `;
  if (Number.isNaN(end)) {
    // Zero has no place on a logarithmic axis, but it is not a missing value either.
    const text = `${where}${value === 0 ? y.format(0) : 'no value'}`;
    const mark = value === 0 ? '' : missingMark(middle, foot - 7, theme.muted);
    return { markup: html`<g>${raw(mark)}<title>${text}</title></g>` };
  }
  const colour = series.colours?.[place] ?? seriesStyle(index, theme).colour;
  const text = `${where}${y.format(value)}${spread(series, place, y)}`;
  const gap = width > 4 ? 0.5 : 0;
  const box = html`<rect x="${px(left + gap)}" y="${px(Math.min(end, foot))}" width="${px(width - 2 * gap)}" height="${px(Math.max(0.5, Math.abs(end - foot)))}" fill="${colour}" shape-rendering="crispEdges"/>`;
  const whisker = errorBar(
    [middle, Math.min(5, width / 3)],
    [y.place(series.low?.[place] ?? Number.NaN), y.place(series.high?.[place] ?? Number.NaN)],
    theme.ink,
  );
  return {
    markup: html`<g>${box}${raw(whisker)}<title>${text}</title></g>`,
    hit: { x: middle, y: end, series: index, text },
  };
}

function spread({ low, high }: BarSeries, place: number, y: Frame['y']): string {
  const [from, to] = [low?.[place], high?.[place]];
  return from === undefined || to === undefined || Number.isNaN(from)
    ? ''
    : ` (${y.format(from)} to ${y.format(to)})`;
}

function errorBar(
  [x, cap]: readonly [number, number],
  [low, high]: readonly [number, number],
  colour: string,
): string {
  if (Number.isNaN(low) || Number.isNaN(high) || low === high) return '';
  const ends = `M${px(x - cap)} ${px(high)}h${px(2 * cap)}M${px(x - cap)} ${px(low)}h${px(2 * cap)}`;
  return `<path d="M${px(x)} ${px(low)}V${px(high)}${ends}" stroke="${colour}" stroke-width="1.2" fill="none"/>`;
}

const SIZE = 10;
/** Between a bar and its value. */
const GAP = 4;
/** Around the bars of a chart: axes, title and names. Less exactly known before it is placed, and only room depends on it. */
const AROUND = { across: 90, up: 130 };

/** How the values of bars are written: level while they fit between their neighbours, else upright, else not at all. */
export interface ValuePlan {
  readonly figures: number;
  readonly isUpright: boolean;
  /** Pixels that they need above the highest bar. */
  readonly room: number;
}

function planValues(chart: BarChart, { width }: Canvas): ValuePlan | undefined {
  const { valueFigures: figures, series, x } = chart;
  if (figures === undefined) return undefined;
  const bars = Math.max(1, (x.categories?.length ?? 0) * series.length);
  const each = ((width - AROUND.across) * 0.8) / bars;
  if (each < SIZE) return undefined;
  let widest = 0;
  for (const { values } of series) {
    for (const value of values) widest = Math.max(widest, textWidth(barText(value, figures), SIZE));
  }
  const isUpright = widest + 2 > each;
  return { figures, isUpright, room: GAP + (isUpright ? widest : SIZE) + 2 };
}

/** The extent with room for the values above the highest bar, and below the lowest where bars hang. */
function withRoom(
  extent: Extent,
  { room }: ValuePlan,
  { height, isLog }: { height: number; isLog: boolean },
): Extent {
  const part = Math.min(0.5, room / Math.max(60, height - AROUND.up));
  if (isLog)
    return {
      low: extent.low,
      high: Math.min(Number.MAX_VALUE, extent.high * (extent.high / extent.low || 10) ** part),
    };
  const span = Math.max(0, extent.high) - Math.min(0, extent.low);
  const more = (span * part) / (1 - part);
  const grown = (value: number) => (Number.isFinite(value) ? value : extent.high);
  return {
    low: extent.low < 0 ? Math.max(-Number.MAX_VALUE, extent.low - more) : extent.low,
    high: extent.high > 0 ? grown(extent.high + more) : extent.high,
  };
}

/** The value of one bar beyond its end. */
function drawValue(
  { value, middle, end }: { readonly value: number; readonly middle: number; readonly end: number },
  { figures, isUpright }: ValuePlan,
  { y, theme }: Pick<Frame, 'y'> & Pick<Canvas, 'theme'>,
): Html {
  const text = barText(value * (y.factor ?? 1), figures);
  if (text === '' || Number.isNaN(end)) return html``;
  const hangs = value < 0;
  if (!isUpright) {
    const at = hangs ? end + GAP + SIZE - 2 : end - GAP;
    return label(text, { at: [middle, at], fill: theme.ink, size: SIZE, anchor: 'middle' });
  }
  return label(text, {
    at: [middle + SIZE / 3, hangs ? end + GAP : end - GAP],
    fill: theme.ink,
    size: SIZE,
    anchor: hangs ? 'end' : 'start',
    turn: -90,
  });
}
