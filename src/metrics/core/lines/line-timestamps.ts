import type { Precision } from '../points/point-storage.ts';
import type { Timestamp } from '../points/points.ts';
import { type LineScratch, MINUS, NEWLINE, NINE, ZERO } from './line-scratch.ts';
import { utf8Text } from './line-text.ts';

/** The range of timestamps in InfluxDB, in nanoseconds. */
const MOST = 9_223_372_036_854_775_806n;
const LARGEST = 2n ** 63n - 1n;
const MOST_MS = 9_223_372_036_854;
const NANOSECONDS: Readonly<Record<Precision, bigint>> = {
  n: 1n,
  u: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const MS_EACH: Readonly<Record<Precision, number>> = { n: 0, u: 0, ms: 1, s: 1e3, m: 6e4, h: 36e5 };

/** Position after the line; -1 when `exactTime` has to parse the timestamp. */
export function fastTime(bytes: Uint8Array, from: number, line: LineScratch): number {
  const end = bytes.length;
  const again = sameTime(bytes, from, line);
  if (again >= 0) return again;
  let at = from;
  while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  const count = at - from;
  if (count === 0 || count > 19 || (at < end && bytes[at] !== NEWLINE)) return -1;
  const below = line.precision === 'n' ? 6 : line.precision === 'u' ? 3 : 0;
  const split = Math.max(from, at - below);
  const whole = digits(bytes, from, split);
  const ms = below === 0 ? whole * MS_EACH[line.precision] : whole;
  if (!(ms < MOST_MS)) return -1;
  line.ms = ms;
  line.ns = digits(bytes, split, at) * (below === 3 ? 1000 : 1);
  line.hasTime = true;
  line.timeStart = from;
  line.timeEnd = at;
  return at + 1;
}

/** Many lines have the timestamp of the line before: comparing is faster than parsing. */
function sameTime(bytes: Uint8Array, from: number, line: LineScratch): number {
  const { timeStart, timeEnd } = line;
  const at = from + timeEnd - timeStart;
  if (at === from || at >= bytes.length || bytes[at] !== NEWLINE) return -1;
  for (let i = at - from - 1; i >= 0; i--) if (bytes[from + i] !== bytes[timeStart + i]) return -1;
  line.hasTime = true;
  return at + 1;
}

/** Parses digits, perhaps with a minus, between these positions; 0, or -1 when the timestamp is refused. */
export function exactTime(
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  line: LineScratch,
): number {
  const text = utf8Text(bytes, from, to);
  if (to - from === 1 && bytes[from] === MINUS) return line.refuse('time', wrong(text, 'invalid syntax'));
  const given = BigInt(text);
  if (given > LARGEST || given < -LARGEST - 1n) return line.refuse('time', wrong(text, 'value out of range'));
  const time = given * NANOSECONDS[line.precision];
  if (time > MOST || time < -MOST) {
    return line.refuse('time', `time outside range -${MOST} - ${MOST}`);
  }
  const ns = ((time % 1_000_000n) + 1_000_000n) % 1_000_000n;
  line.ms = Number((time - ns) / 1_000_000n);
  line.ns = Number(ns);
  line.hasTime = true;
  line.timeEnd = line.timeStart;
  return 0;
}

/** A line without a timestamp gets the time of its arrival, truncated to the precision, as in InfluxDB. */
export function arrival({ ms, ns }: Timestamp, precision: Precision): Timestamp {
  if (precision === 'n') return { ms, ns };
  if (precision === 'u') return { ms, ns: ns - (ns % 1000) };
  const unit = MS_EACH[precision];
  return { ms: Math.floor(ms / unit) * unit, ns: 0 };
}

/** The last nine digits are computed in 32 bits, which is faster. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  const split = Math.max(from, to - 9);
  let low = 0;
  for (let at = split; at < to; at++) low = (Math.imul(10, low) + (bytes[at] as number) - ZERO) | 0;
  if (split === from) return low;
  let high = 0;
  for (let at = from; at < split; at++) high = 10 * high + ((bytes[at] as number) - ZERO);
  return 1e9 * high + low;
}

function wrong(text: string, why: string): string {
  return `strconv.ParseInt: parsing "${text}": ${why}`;
}
