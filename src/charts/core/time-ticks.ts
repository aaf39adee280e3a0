import type { Extent } from './extent.ts';

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

/** Round moments of the calendar (UTC) within the extent: a chart looks the same whoever draws it. */
export function timeTicks({ low, high }: Extent, count: number): readonly TimeTick[] {
  const rough = (high - low) / Math.max(1, count);
  const step = STEPS.find((size) => size >= rough);
  return step === undefined ? monthTicks({ low, high }, rough) : evenTicks({ low, high }, step);
}

/** A moment for a read-out: to the second, UTC. */
export function momentText(ms: number): string {
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
