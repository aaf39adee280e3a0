import type { Timestamp } from '../../points/points.ts';

/** The time range of InfluxDB: 64 bits of nanoseconds, less two at each end. */
export const MIN_NS = -9223372036854775806n;
export const MAX_NS = 9223372036854775806n;

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  n: 1n,
  u: 1_000n,
  µ: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};

export function unitNs(unit: string): bigint | undefined {
  return UNITS[unit];
}

export function parseDuration(text: string): bigint {
  let ns = 0n;
  for (const [, count = '0', unit = 's'] of text.matchAll(/(\d+)(ns|ms|u|µ|s|m|h|d|w)/g)) {
    ns += BigInt(count) * (UNITS[unit] ?? 1n);
  }
  return ns;
}

export function toNs({ ms, ns }: Timestamp): bigint {
  return BigInt(ms) * 1_000_000n + BigInt(ns);
}

export function toTimestamp(ns: bigint): Timestamp {
  const ms = floorDivide(ns, 1_000_000n);
  return { ms: Number(ms), ns: Number(ns - ms * 1_000_000n) };
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** RFC 3339, or a date with or without a time of day, in UTC. Undefined: not a time. */
export function parseTime(text: string): bigint | undefined {
  const parts = TIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = parts;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** The day that was written last: rows of one answer are mostly of one day. */
let written = { day: 0, text: '1970-01-01T' };

/** RFC 3339 with as many digits as there are. */
export function formatTime({ ms, ns }: Timestamp): string {
  const second = Math.floor(ms / 1000);
  const nanos = (ms - second * 1000) * 1_000_000 + ns;
  const day = Math.floor(second / 86_400);
  if (day !== written.day) written = { day, text: new Date(day * 86_400_000).toISOString().slice(0, -13) };
  const rest = second - day * 86_400;
  const text = `${written.text}${two(rest / 3600)}:${two((rest / 60) % 60)}:${two(rest % 60)}`;
  return nanos === 0 ? `${text}Z` : `${text}.${String(nanos).padStart(9, '0').replace(/0+$/, '')}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${Math.floor(value)}` : String(Math.floor(value));
}
