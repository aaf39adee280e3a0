import type { Extent } from './extent.ts';

/** Round numbers (1, 2 or 5 times a power of ten) that enclose the extent, about `count` of them. */
export function linearTicks({ low, high }: Extent, count: number): readonly number[] {
  const step = niceStep((high - low) / Math.max(1, count));
  // Near the limits of the numbers no round step exists any more.
  if (!Number.isFinite(step) || step <= 0 || low + step === low) return [low, high];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step, decimals));
}

/** Powers of ten; with 2 and 5 between them where there are few, every so many where there are lots. */
export function logTicks({ low, high }: Extent, count: number): readonly number[] {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const decades = Math.max(1, last - first);
  const factors = decades * 3 <= count ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / count));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  const inside = ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  if (inside.length > 1) return inside;
  // Within one decade: the two that enclose the values.
  const from = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= low * (1 + 1e-9)),
  );
  const to = ticks.findIndex((tick) => tick >= high * (1 - 1e-9));
  return ticks.slice(from, to < 0 ? undefined : Math.max(to, from + 1) + 1);
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return (part <= 1.0001 ? 1 : part <= 2.0001 ? 2 : part <= 5.0001 ? 5 : 10) * power;
}

/** 3 * 0.1 is 0.30000000000000004. */
function rounded(value: number, decimals: number): number {
  return decimals > 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value;
}

export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const STEPS = [1, 5, 15, 30]
  .flatMap((count) => [count * SECOND, count * MINUTE])
  .concat([1, 3, 6, 12].map((count) => count * HOUR))
  .concat([1, 2, 7, 14].map((count) => count * DAY))
  .sort((a, b) => a - b);
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000];

/** Round times of the calendar (UTC) within the extent: a chart looks the same everywhere. */
export function timeTicks({ low, high }: Extent, count: number): readonly TimeTick[] {
  const rough = (high - low) / Math.max(1, count);
  const step = STEPS.find((size) => size >= rough);
  return step === undefined ? monthTicks({ low, high }, rough) : evenTicks({ low, high }, step);
}

/** A time for a tooltip: to the second, UTC. */
export function timestampText(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15
    ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : 'no time';
}

function evenTicks({ low, high }: Extent, step: number): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
    const text = new Date(at).toISOString();
    const isMidnight = at % DAY === 0;
    const clock = step < MINUTE ? text.slice(11, 19) : text.slice(11, 16);
    ticks.push({ at, text: step >= DAY || isMidnight ? text.slice(0, 10) : clock });
  }
  return ticks;
}

function monthTicks({ low, high }: Extent, rough: number): readonly TimeTick[] {
  const months = MONTH_STEPS.find((size) => size * MONTH >= rough) ?? 12_000;
  const start = new Date(low);
  const first = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  const ticks: TimeTick[] = [];
  for (let month = first; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (!(at <= high)) return ticks;
    if (at >= low) ticks.push({ at, text: new Date(at).toISOString().slice(0, months >= 12 ? 4 : 7) });
  }
}
