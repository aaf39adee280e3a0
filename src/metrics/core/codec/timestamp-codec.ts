import type { Timestamps } from '../points/points.ts';
import { type ByteReader, type ByteWriter, damaged } from './byte-stream.ts';
import { fillIntegers, readIntegers, writeIntegers } from './integer-codec.ts';

/** Timestamps as ticks of the coarsest unit that fits all; regular ones take a few bytes, however many they are. */
export function writeTimestamps(out: ByteWriter, { ms, ns }: Timestamps): void {
  const base = ms[0] ?? 0;
  const span = (ms.at(-1) ?? 0) - base;
  const unit = unitOf(ms, ns);
  const perMs = PER_MS[unit] as number;
  if (span * perMs >= MAX_TICKS) {
    out.byte(PAIRS);
    out.whole(base);
    writeIntegers(
      out,
      ms.map((value) => value - base),
    );
    writeIntegers(out, Float64Array.from(ns));
    return;
  }
  out.byte(unit);
  out.whole(base);
  const nsPerTick = 1e6 / perMs;
  const ticks = new Float64Array(ms.length);
  for (let i = 0; i < ms.length; i++) {
    ticks[i] = ((ms[i] as number) - base) * perMs + (perMs > 1 ? (ns[i] as number) / nsPerTick : 0);
  }
  writeIntegers(out, ticks);
}

/** Fills the arrays, which must be all zeros. */
export function readTimestamps(input: ByteReader, { ms, ns }: Timestamps): void {
  const unit = input.byte();
  const base = input.whole();
  const count = ms.length;
  fillIntegers(input, ms);
  if (unit === PAIRS) {
    for (let i = 0; i < count; i++) ms[i] = (ms[i] as number) + base;
    ns.set(readIntegers(input, count));
    return;
  }
  const perMs = PER_MS[unit];
  if (perMs === undefined) throw damaged(`invalid unit ${unit} of timestamps`);
  if (perMs <= 1) {
    const msPerTick = 1 / perMs;
    for (let i = 0; i < count; i++) ms[i] = base + (ms[i] as number) * msPerTick;
    return;
  }
  const nsPerTick = 1e6 / perMs;
  for (let i = 0; i < count; i++) {
    const ticks = ms[i] as number;
    const whole = Math.floor(ticks / perMs);
    ms[i] = base + whole;
    ns[i] = (ticks - whole * perMs) * nsPerTick;
  }
}

/** Ticks a millisecond: seconds, milliseconds, microseconds, nanoseconds. Their indexes are stored on disk. */
const PER_MS: readonly number[] = [1 / 1000, 1, 1000, 1e6];
const PAIRS = 4;
/** Below what deltas of integers keep exactly. */
const MAX_TICKS = 2 ** 50;

function unitOf(ms: Float64Array, ns: Int32Array): number {
  let unit = 0;
  const base = ms[0] ?? 0;
  for (let i = 0; i < ms.length; i++) {
    const rest = ns[i] as number;
    if (rest !== 0) {
      if (rest % 1000 !== 0) return 3;
      unit = 2;
    } else if (unit === 0 && ((ms[i] as number) - base) % 1000 !== 0) unit = 1;
  }
  return unit;
}
