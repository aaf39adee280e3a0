import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/time.tsx';
import type { Axis } from '../../core/chart.ts';

/** The current colours and sizes of a chart. */
export interface ChartStyle {
  readonly text: string;
  readonly quiet: string;
  readonly rule: string;
  readonly back: string;
  /** Of the first eight series. */
  readonly hues: readonly string[];
  /** Of all others. */
  readonly other: string;
  /** Pixels. */
  readonly width: number;
}

/** How a series differs from the others: by colour, by the shape of its points, and by its dashes. */
export interface SeriesStyle {
  readonly colour: string;
  readonly symbol: string;
  readonly dash: 'solid' | readonly number[];
}

const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
const DASHES = ['solid', [6, 3], [2, 3], [9, 3, 2, 3]] as const;

export function seriesStyle(place: number, { hues, other }: ChartStyle): SeriesStyle {
  return {
    colour: hues[place] ?? other,
    symbol: SYMBOLS[place % SYMBOLS.length] ?? 'circle',
    dash: DASHES[Math.floor(place / hues.length) % DASHES.length] ?? 'solid',
  };
}

/** A datum with its tooltip. */
export interface Datum {
  readonly value: readonly number[];
  readonly tip?: string;
}

type Draw = (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) => unknown;

/** A series that we draw by ourselves. */
export function drawnSeries(
  name: string,
  data: readonly Datum[],
  { draw, z = 3, isSilent = true }: { readonly draw: Draw; readonly z?: number; readonly isSilent?: boolean },
): object {
  return {
    ...{ type: 'custom', name, data, z, silent: isSilent, animation: false, clip: true },
    renderItem: draw,
  };
}

/** Where a bar or box of a group stands: eight tenths of the room of a category, shared by the series. */
export function slot(
  api: CustomSeriesRenderItemAPI,
  place: number,
  { index, of }: { readonly index: number; readonly of: number },
): { readonly middle: number; readonly width: number } {
  const size = api.size?.([1, 0]);
  const step = Array.isArray(size) ? (size[0] ?? 0) : (size ?? 0);
  const width = (step * 0.8) / of;
  const [centre = 0] = api.coord([place, 0]);
  return { middle: centre - step * 0.4 + (index + 0.5) * width, width };
}

/** Where a value is in pixels. */
export function heightOf(api: CustomSeriesRenderItemAPI, place: number, value: number): number {
  return api.coord([place, value])[1] ?? Number.NaN;
}

interface CrossLook {
  readonly colour: string;
  /** Pixels it may take: neighbours must not become one. */
  readonly room?: number;
}

/** A cross on the ground: a value that is not there. */
export function cross(x: number, y: number, { colour, room = 6 }: CrossLook): object {
  const arm = Math.min(3, room / 2.4);
  const line = (side: number) => ({
    type: 'line',
    shape: { x1: x - arm, y1: y - arm * side, x2: x + arm, y2: y + arm * side },
    style: { stroke: colour, lineWidth: 1.4 },
  });
  return { type: 'group', children: [line(1), line(-1)] };
}

/** From one end to the other, with caps. */
export function whisker(
  {
    x,
    cap,
    low,
    high,
  }: { readonly x: number; readonly cap: number; readonly low: number; readonly high: number },
  colour: string,
): object {
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: 'line',
    shape: { x1, y1, x2, y2 },
    style: { stroke: colour, lineWidth: 1.2 },
  });
  const lines = [line(x, low, x, high), line(x - cap, low, x + cap, low), line(x - cap, high, x + cap, high)];
  return { type: 'group', children: lines };
}

/** Bottom of the field in which a chart is drawn. */
export function groundOf({ coordSys }: CustomSeriesRenderItemParams): number {
  const { y = 0, height = 0 } = coordSys as unknown as { y?: number; height?: number };
  return y + height;
}

/** Formats the values of an axis. */
export function valueFormatter(axis: Axis): (value: number) => string {
  if (axis.scale === 'category') return (place) => axis.categories?.[place] ?? String(place);
  if (axis.scale === 'time') return localText;
  return (value) => (Number.isNaN(value) ? 'no value' : formatNumber(value, axis.unit));
}

/** Whether the axis has a place for it. */
export function hasPlaceOn({ scale }: Axis, value: number): boolean {
  return Number.isFinite(value) && (scale !== 'log' || value > 0);
}
