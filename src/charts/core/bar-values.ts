import { type Html, html } from '../../platform/core/text/html.ts';
import type { BarChart } from './chart.ts';
import { type Canvas, label } from './drawing.ts';
import type { Extent } from './extent.ts';
import type { Frame } from './frame.ts';
import { barText } from './significant.ts';
import { textWidth } from './text-width.ts';

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

export function planValues(chart: BarChart, { width }: Canvas): ValuePlan | undefined {
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
export function withRoom(
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
export function drawValue(
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
