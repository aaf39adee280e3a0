import { NightmarkError } from '../../../platform/core/errors.ts';
import { compareTimestamps, type FieldType, type Timestamp } from '../points/points.ts';
import type { Span } from './condition.ts';
import type { Fill } from './parse/ast.ts';
import { floorDivide, MAX_NS, MIN_NS, toNs, toTimestamp } from './parse/time.ts';
import type { Zone } from './parse/time-zone.ts';
import type { Point } from './transform.ts';
import type { Cell } from './vector.ts';

/** GROUP BY time: windows of equal length. */
export interface Interval {
  readonly length: bigint;
  readonly offset: bigint;
  /** The time zone by whose clocks they begin. */
  readonly zone?: Zone;
}

export function windowStart({ length, offset, zone }: Interval, ns: bigint): bigint {
  if (!zone) return floorDivide(ns - offset, length) * length + offset;
  const at = ns - offset;
  const there = zone(at);
  const start = floorDivide(at + there, length) * length - there;
  // A change of the clocks since the start shifts it, unless the shift is longer than the window.
  return start + shift(there - zone(start), length) + offset;
}

/** Where the next window begins. A day on which clocks change has 23 or 25 hours. */
export function windowEnd({ length, zone }: Interval, start: bigint): bigint {
  if (!zone) return start + length;
  const end = start + length;
  return end + shift(zone(start) - zone(end), length);
}

function shift(by: bigint, length: bigint): bigint {
  return (by < 0n ? -by : by) < length ? by : 0n;
}

/** Start of the window of a timestamp, and the neighbours of a window by its start. */
export interface Windows {
  start(timestamp: Timestamp): Timestamp;
  next(start: Timestamp): Timestamp;
  previous(start: Timestamp): Timestamp;
}

/** With plain numbers where length and offset are whole milliseconds: BigInts are much slower. */
export function windowsOf(interval: Interval): Windows {
  const { length, offset, zone } = interval;
  if (zone || length % NS_PER_MS !== 0n || offset % NS_PER_MS !== 0n) {
    return {
      start: (timestamp) => toTimestamp(windowStart(interval, toNs(timestamp))),
      next: (start) => toTimestamp(windowEnd(interval, toNs(start))),
      previous: (start) => toTimestamp(windowStart(interval, toNs(start) - 1n)),
    };
  }
  const [lengthMs, offsetMs] = [Number(length / NS_PER_MS), Number(offset / NS_PER_MS)];
  return {
    start: ({ ms }) => ({ ms: Math.floor((ms - offsetMs) / lengthMs) * lengthMs + offsetMs, ns: 0 }),
    next: ({ ms, ns }) => ({ ms: ms + lengthMs, ns }),
    previous: ({ ms, ns }) => ({ ms: ms - lengthMs, ns }),
  };
}

const NS_PER_MS = 1_000_000n;

export interface FillOptions {
  readonly fill: Fill;
  readonly interval: Interval;
  readonly span: Span;
  readonly isDescending: boolean;
  readonly type: FieldType;
  readonly isCount: boolean;
  readonly maxRows: number;
}

/** Adds points for empty windows. Input and output are in the order of the answer. */
export function fillWindows(points: readonly Point[], options: FillOptions): readonly Point[] {
  const first = points[0];
  const newest = points.at(-1);
  if (options.fill.kind === 'none' || first === undefined || newest === undefined) return points;
  const { interval, span, isDescending } = options;
  const low = span.min > MIN_NS ? windowStart(interval, span.min) : toNs(isDescending ? newest : first);
  const high = span.max < MAX_NS ? windowStart(interval, span.max) : toNs(isDescending ? first : newest);
  const count = (high - low) / interval.length + 1n;
  if (count > BigInt(options.maxRows)) {
    throw new NightmarkError(
      'QUERY_TOO_LARGE',
      `max-select-buckets limit exceeded: (${count}/${options.maxRows})`,
      {
        hint: 'Choose a longer interval or a shorter range of time, or fill(none).',
      },
    );
  }
  const filled: Point[] = [];
  let at = 0;
  const clock = windowsOf(interval);
  const [begin, end] = isDescending ? [high, low] : [low, high];
  const last = toTimestamp(end);
  const isBehind = (timestamp: Timestamp) =>
    isDescending ? compareTimestamps(timestamp, last) < 0 : compareTimestamps(timestamp, last) > 0;
  for (
    let timestamp = toTimestamp(begin);
    !isBehind(timestamp);
    timestamp = isDescending ? clock.previous(timestamp) : clock.next(timestamp)
  ) {
    const here = points[at];
    if (here !== undefined && here.ms === timestamp.ms && here.ns === timestamp.ns) {
      filled.push(here);
      at++;
    } else {
      filled.push({
        ...timestamp,
        cell: fillCell(options, timestamp, { before: points[at - 1], after: here }),
      });
    }
  }
  return filled;
}

interface Neighbours {
  readonly before: Point | undefined;
  readonly after: Point | undefined;
}

function fillCell(
  { fill, type, isCount }: FillOptions,
  timestamp: { ms: number; ns: number },
  { before, after }: Neighbours,
): Cell {
  if (fill.kind === 'number') return fillNumber(fill.value, type);
  if (fill.kind === 'null') return isCount ? 0 : null;
  if (fill.kind === 'previous') return before?.cell ?? null;
  if (before === undefined || after === undefined || before.cell === null || after.cell === null) return null;
  if (type === 'string' || type === 'boolean') return null;
  const slope = (Number(after.cell) - Number(before.cell)) / Number(toNs(after) - toNs(before));
  const value = slope * Number(toNs(timestamp) - toNs(before)) + Number(before.cell);
  return type === 'float' ? value : Math.trunc(value);
}

function fillNumber(value: number, type: FieldType): Cell {
  if (type === 'float') return value;
  if (type === 'boolean') return false;
  return type === 'string' ? '' : Math.trunc(value);
}
