import type { Timestamp } from '../../points/points.ts';
import { type Expression, replace } from './ast.ts';
import { floorDivide, formatTime, parseTime, toNs, toTimestamp, unitNs } from './time.ts';

/** The UTC offset of a time zone at a time, both in nanoseconds. */
export type Zone = (ns: bigint) => bigint;

/** Offsets change at quarters of an hour. */
const SLOT_MS = 900_000;
const MAX_CACHED = 10_000;
const NS_PER_MS = 1_000_000n;

/** The time zone of a name such as 'Europe/Berlin'; undefined: there is none. */
export function zoneOf(name: string): Zone | undefined {
  if (/^[+-]/.test(name)) return undefined;
  let clock: Intl.DateTimeFormat;
  try {
    const parts = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    } as const;
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name || 'UTC',
      hourCycle: 'h23',
      second: 'numeric',
      era: 'short',
      ...parts,
    });
  } catch {
    return undefined;
  }
  const cache = new Map<number, bigint>();
  return (ns) => {
    const slot = Number(floorDivide(ns, NS_PER_MS * BigInt(SLOT_MS)));
    const found = cache.get(slot);
    if (found !== undefined) return found;
    if (cache.size >= MAX_CACHED) cache.clear();
    const offset = offsetAt(clock, slot * SLOT_MS);
    cache.set(slot, offset);
    return offset;
  };
}

function offsetAt(clock: Intl.DateTimeFormat, ms: number): bigint {
  const parts = Object.fromEntries(clock.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (name: string) => Number(parts[name] ?? 0);
  const year = parts['era'] === 'BC' ? 1 - part('year') : part('year');
  const wall = Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return BigInt(wall - ms) * NS_PER_MS;
}

/** Times in a condition without an offset are local times of the zone. */
export function withZone(where: Expression, zone: Zone): Expression {
  return replace(where, (part) => {
    if (part.kind !== 'binary' || !(isTime(part.left) || isTime(part.right))) return undefined;
    const local = (side: Expression) =>
      replace(side, (leaf) => (leaf.kind === 'string' ? localTime(leaf.value, zone) : undefined));
    return { ...part, left: local(part.left), right: local(part.right) };
  });
}

function isTime(expression: Expression): boolean {
  return expression.kind === 'ref' && expression.name.toLowerCase() === 'time';
}

function localTime(text: string, zone: Zone): Expression | undefined {
  const wall = /(?:Z|[+-]\d{2}:\d{2})$/.test(text) && text.length > 10 ? undefined : parseTime(text);
  if (wall === undefined) return undefined;
  // The second try finds the offset: the first may lie beyond a change of the clocks.
  const integer = wall - zone(wall - zone(wall));
  return { kind: 'number', value: Number(integer), integer };
}

/** RFC 3339 with the offset of the zone. */
function formatIn(zone: Zone): (timestamp: Timestamp) => string {
  return (timestamp) => {
    const ns = toNs(timestamp);
    const offset = zone(ns);
    const minutes = Number(offset / (60_000n * NS_PER_MS));
    const text = formatTime(toTimestamp(ns + offset));
    if (minutes === 0) return text;
    const size = Math.abs(minutes);
    const two = (value: number) => String(value).padStart(2, '0');
    return text.replace(/Z$/, `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`);
  };
}

/** Formats a timestamp of an answer. */
export type TimeText = (ms: number, ns: number) => string;

/** Integers of the unit, or quoted RFC 3339 in the zone, without a unit. An unknown unit means nanoseconds. */
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

/** Beyond safe integers: concatenated digits, which is many times faster than BigInt. */
export function nanosecondText(ms: number, ns: number): string {
  if (ms <= 0) return String(toNs({ ms, ns }));
  return ns === 0 ? `${ms}000000` : `${ms}${String(1_000_000 + ns).slice(1)}`;
}
