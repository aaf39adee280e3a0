import { floorDivide, formatTime, toNs, unitNs } from './time.ts';
import { formatIn, type Zone } from './zone.ts';

/** A moment as answers write it. */
export type TimeText = (ms: number, ns: number) => string;

/** Whole numbers of the unit, or RFC 3339 in quotes, by the clocks of a zone, where none is given. A unit that is not known means nanoseconds. */
export function timeText(epoch: string | undefined, zone?: Zone): TimeText {
  if (epoch === undefined || epoch === '') {
    const format = zone ? formatIn(zone) : formatTime;
    return (ms, ns) => `"${format({ ms, ns })}"`;
  }
  const unit = unitNs(epoch) ?? 1n;
  if (unit === 1n) return nanosecondText;
  if (unit % NS_PER_MS === 0n) {
    const unitMs = Number(unit / NS_PER_MS);
    return (ms) => String(Math.floor(ms / unitMs));
  }
  return (ms, ns) => String(floorDivide(toNs({ ms, ns }), unit));
}

const NS_PER_MS = 1_000_000n;

/** Beyond what a number holds: as digits one after the other, which is many times faster than large integers. */
export function nanosecondText(ms: number, ns: number): string {
  if (ms <= 0) return String(toNs({ ms, ns }));
  return ns === 0 ? `${ms}000000` : `${ms}${String(1_000_000 + ns).slice(1)}`;
}
