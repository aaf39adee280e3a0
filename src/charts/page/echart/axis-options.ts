import { localText } from '../../../platform/page/parts/time.tsx';
import { linearTicks, logTicks } from '../../core/axis-ticks.ts';
import type { Axis } from '../../core/chart.ts';
import { axisLabel, axisUnit, logTickTexts, tickTexts } from '../../core/chart-numbers.ts';
import { type Extent, extentOf, unionOf } from '../../core/extent.ts';
import type { ChartStyle } from './echart-style.ts';

/** An axis of ECharts. */
export type AxisOptions = Readonly<Record<string, unknown>>;

const TICKS = { x: 7, y: 6 };

/** Ticks as on our own drawings: round numbers in one multiple of the unit. */
export function axisOptions(
  axis: Axis,
  lists: Iterable<readonly number[] | undefined>,
  { style, side }: { readonly style: ChartStyle; readonly side: 'x' | 'y' },
): AxisOptions {
  const base = baseOf(style, side);
  if (axis.scale === 'category') return { ...base, ...categoryAxis(axis, style, side) };
  const extent = unionOf(extentOf(lists, axis.scale === 'log'), axis.range);
  if (axis.scale === 'time') {
    const labels = { ...base.axisLabel, formatter: (at: number) => localText(at).slice(0, 16) };
    return { ...base, type: 'time', name: axis.label, axisLabel: labels };
  }
  // A panel is low as well as narrow: a title that is turned round has little room.
  const room = side === 'y' && style.width < PANEL ? MAX_LETTERS.wide : MAX_LETTERS.title;
  const titled = { ...axis, label: shortened(axis.label, room) };
  const scaled = axis.scale === 'log' ? logAxis(titled, extent, side) : linearAxis(titled, extent, side);
  return { ...base, ...scaled, axisLabel: { ...base.axisLabel, ...scaled.axisLabel } };
}

/** One value alone still needs an axis around it. */
function widened({ low, high }: Extent): Extent {
  if (low < high) return { low, high };
  const room = low === 0 ? 1 : Math.abs(low) / 10;
  return { low: low - room, high: high + room };
}

function linearAxis(axis: Axis, extent: Extent | undefined, side: 'x' | 'y') {
  const found = extent ?? { low: 0, high: 1 };
  const domain = widened(
    axis.startsAtZero ? { low: Math.min(0, found.low), high: Math.max(0, found.high) } : found,
  );
  const { factor, unit } = axisUnit(axis, domain);
  const ticks = linearTicks({ low: domain.low * factor, high: domain.high * factor }, TICKS[side]);
  const [first = 0, second = 1, last = 1] = [ticks[0], ticks[1], ticks.at(-1)];
  const texts = new Map(ticks.map((tick, at) => [keyOf(tick), tickTexts(ticks)[at] ?? '']));
  return {
    type: 'value',
    name: axisLabel(axis, unit),
    min: first / factor,
    max: last / factor,
    interval: (second - first) / factor,
    axisLabel: {
      formatter: (value: number) => texts.get(keyOf(value * factor)) ?? tickTexts([value * factor])[0] ?? '',
    },
  };
}

/** The same tick, though it was divided and multiplied on its way. */
function keyOf(tick: number): string {
  return String(Number(tick.toPrecision(9)) + 0);
}

function logAxis(axis: Axis, extent: Extent | undefined, side: 'x' | 'y') {
  const { low, high } = extent ?? { low: 1, high: 10 };
  const { factor, unit } = axisUnit(axis, { low, high });
  const ticks = logTicks({ low: low * factor, high: high * factor }, TICKS[side]);
  return {
    type: 'log',
    name: axisLabel(axis, unit),
    min: Math.min(low, (ticks[0] ?? 1) / factor) * (side === 'y' ? 0.9 : 1),
    max: Math.max(high, (ticks.at(-1) ?? 10) / factor),
    axisTick: { show: false, customValues: ticks.map((tick) => tick / factor) },
    axisLabel: {
      customValues: ticks.map((tick) => tick / factor),
      formatter: (value: number) => logTickTexts([value * factor])[0] ?? '',
    },
  };
}

/** Letters of a name that are shown; the table of values has all. */
const MAX_LETTERS = { narrow: 14, wide: 24, title: 50 };
const NARROW = 450;
const PANEL = 700;
const LETTER_WIDTH = 7;

function categoryAxis(axis: Axis, style: ChartStyle, side: 'x' | 'y') {
  const letters = style.width < NARROW ? MAX_LETTERS.narrow : MAX_LETTERS.wide;
  const names = (axis.categories ?? []).map((name) => shortened(name, letters));
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  const isTight = side === 'x' && (longest + 1) * LETTER_WIDTH * names.length > style.width - 80;
  return {
    type: 'category',
    name: shortened(axisLabel(axis, axis.unit ?? ''), MAX_LETTERS.title),
    // Two places of one name are two places.
    data: names.map((_, place) => String(place)),
    ...(side === 'y' && { inverse: true }),
    axisLabel: {
      color: style.quiet,
      hideOverlap: true,
      rotate: isTight ? 35 : 0,
      formatter: (place: string) => names[Number(place)] ?? '',
    },
  };
}

function shortened(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

function baseOf({ quiet, rule, text }: ChartStyle, side: 'x' | 'y') {
  return {
    nameLocation: 'middle',
    nameTextStyle: { color: text },
    axisLabel: { color: quiet },
    axisLine: { show: side === 'x', lineStyle: { color: quiet } },
    axisTick: { show: false },
    splitLine: { show: side === 'y', lineStyle: { color: rule } },
    animation: false,
  };
}
