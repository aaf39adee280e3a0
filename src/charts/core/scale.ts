import { formatNumber } from '../../platform/core/text/numbers.ts';
import { linearTicks, logTicks, timestampText, timeTicks } from './axis-ticks.ts';
import type { Axis } from './chart.ts';
import { axisLabel, axisUnit, logTickTexts, tickTexts } from './chart-numbers.ts';
import { type Extent, unionOf } from './extent.ts';

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Values to pixels along one axis. NaN, and what a logarithm does not have, gives NaN. */
export interface Scale {
  place(value: number): number;
  /** The value for a read-out. */
  format(value: number): string;
  readonly ticks: readonly Tick[];
  readonly label: string;
  /** From a value to the number that the axis shows for it: its ticks may be milliseconds of seconds. */
  readonly factor?: number;
  /** Pixels of one place of a category axis; 0 on the others. */
  readonly step: number;
}

/** From the pixel of the lowest value to that of the highest. */
export type Range = readonly [from: number, to: number];

/** Pixels an axis wants for one tick. */
const TICK_ROOM = { across: 95, up: 46 };

/** No chart is as large: what would lie there (the billionth place of three categories) has no place. */
const FARTHEST = 1e6;

const DAY_MS = 86_400_000;

export function scaleOf(axis: Axis, extent: Extent | undefined, range: Range): Scale {
  const scale = plainScale(axis, unionOf(extent, axis.range), range);
  const place = (value: number) => {
    const pixel = scale.place(value);
    return Math.abs(pixel) <= FARTHEST ? pixel : Number.NaN;
  };
  return { ...scale, place, ticks: scale.ticks.filter(({ at }) => Math.abs(at) <= FARTHEST) };
}

function plainScale(axis: Axis, extent: Extent | undefined, range: Range): Scale {
  if (axis.scale === 'category') return categoryScale(axis, range);
  if (axis.scale === 'time') return timeScale(axis, widenedTime(extent ?? { low: 0, high: 1 }), range);
  if (axis.scale === 'log') return logScale(axis, extent ?? { low: 1, high: 10 }, range);
  return linearScale(axis, extent ?? { low: 0, high: 1 }, range);
}

function categoryScale(axis: Axis, [from, to]: Range): Scale {
  const names = axis.categories ?? [];
  const step = (to - from) / Math.max(1, names.length);
  const place = (index: number) => from + (index + 0.5) * step;
  return {
    place,
    format: (index) => names[index] ?? String(index),
    ticks: names.map((text, index) => ({ at: place(index), text })),
    label: axisLabel(axis, axis.unit ?? ''),
    step: Math.abs(step),
  };
}

function timeScale(axis: Axis, extent: Extent, range: Range): Scale {
  const place = linear(extent, range);
  const ticks = timeTicks(extent, tickCount(range)).map(({ at, text }) => ({ at: place(at), text }));
  return { place, format: timestampText, ticks, label: axisLabel(axis, axis.unit ?? 'UTC'), step: 0 };
}

function logScale(axis: Axis, extent: Extent, range: Range): Scale {
  const { factor, unit } = axisUnit(axis, extent);
  const ticks = logTicks({ low: extent.low * factor, high: extent.high * factor }, tickCount(range));
  const low = Math.log(Math.min(extent.low, (ticks[0] ?? 1) / factor));
  const high = Math.log(Math.max(extent.high, (ticks.at(-1) ?? 10) / factor));
  const position = linear({ low, high }, range);
  const place = (value: number) => (value > 0 ? position(Math.log(value)) : Number.NaN);
  return numberScale(axis, place, { factor, unit, ticks, texts: logTickTexts(ticks) });
}

function linearScale(axis: Axis, extent: Extent, range: Range): Scale {
  const withZero = axis.startsAtZero
    ? { low: Math.min(0, extent.low), high: Math.max(0, extent.high) }
    : extent;
  const domain = widened(withZero);
  const { factor, unit } = axisUnit(axis, domain);
  const ticks = linearTicks({ low: domain.low * factor, high: domain.high * factor }, tickCount(range));
  const low = Math.min(domain.low, (ticks[0] ?? 0) / factor);
  const high = Math.max(domain.high, (ticks.at(-1) ?? 0) / factor);
  const place = linear({ low, high }, range);
  return numberScale(axis, place, { factor, unit, ticks, texts: tickTexts(ticks) });
}

interface NumberTicks {
  /** From a value to the number that the axis shows for it, and its unit. */
  readonly factor: number;
  readonly unit: string;
  /** Numbers as the axis shows them. */
  readonly ticks: readonly number[];
  readonly texts: readonly string[];
}

function numberScale(axis: Axis, place: Scale['place'], { factor, unit, ticks, texts }: NumberTicks): Scale {
  return {
    place,
    format: (value) => formatNumber(value, axis.unit),
    ticks: ticks.map((tick, index) => ({ at: place(tick / factor), text: texts[index] ?? '' })),
    label: axisLabel(axis, unit),
    factor,
    step: 0,
  };
}

/** One value alone still needs an axis around it. */
function widened({ low, high }: Extent): Extent {
  if (low < high) return { low, high };
  const room = low === 0 ? 1 : Math.abs(low) / 10;
  return { low: low - room, high: high + room };
}

/** A time alone has the days around it, not the years that a tenth of the time since 1970 would be. */
function widenedTime({ low, high }: Extent): Extent {
  return low < high ? { low, high } : { low: low - DAY_MS, high: high + DAY_MS };
}

function linear({ low, high }: Extent, [from, to]: Range): (value: number) => number {
  // Halved first: the span of the largest numbers is beyond the largest number.
  const span = high / 2 - low / 2 || 1;
  return (value) =>
    Number.isFinite(value) ? from + ((value / 2 - low / 2) / span) * (to - from) : Number.NaN;
}

function tickCount([from, to]: Range): number {
  return Math.max(2, Math.floor(Math.abs(to - from) / (from > to ? TICK_ROOM.up : TICK_ROOM.across)));
}
