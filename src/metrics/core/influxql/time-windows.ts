import { NightmarkError } from '../../../platform/core/errors.ts';
import { compareTimestamps, type FieldType, type Timestamp } from '../points/points.ts';
import type { Span } from './condition.ts';
import type { Fill } from './parse/ast.ts';
import { floorDivide, MAX_NS, MIN_NS, toMoment, toNs } from './parse/time.ts';
import type { Zone } from './parse/time-zone.ts';
import type { Point } from './transform.ts';
import type { Cell } from './vector.ts';

/** Spans of equal length that points are put into. */
export interface Interval {
  readonly length: bigint;
  readonly offset: bigint;
  /** Whose clocks they begin by. */
  readonly zone?: Zone;
}

export function windowStart({ length, offset, zone }: Interval, ns: bigint): bigint {
  if (!zone) return floorDivide(ns - offset, length) * length + offset;
  const at = ns - offset;
  const there = zone(at);
  const start = floorDivide(at + there, length) * length - there;
  // Where the clocks were changed since then it begins by those before; not where that is more than the span itself.
  return start + shift(there - zone(start), length) + offset;
}

/** Where the next one begins. A day on which clocks are changed has 23 or 25 hours. */
export function windowEnd({ length, zone }: Interval, start: bigint): bigint {
  if (!zone) return start + length;
  const end = start + length;
  return end + shift(zone(start) - zone(end), length);
}

function shift(by: bigint, length: bigint): bigint {
  return (by < 0n ? -by : by) < length ? by : 0n;
}

/** Where the window of a moment begins, and the windows beside one that begins at a moment. */
export interface Windows {
  start(moment: Timestamp): Timestamp;
  next(start: Timestamp): Timestamp;
  previous(start: Timestamp): Timestamp;
}

/** With plain numbers where length and offset are whole milliseconds: large integers take most of the time of buckets. */
export function windowsOf(interval: Interval): Windows {
  const { length, offset, zone } = interval;
  if (zone || length % NS_PER_MS !== 0n || offset % NS_PER_MS !== 0n) {
    return {
      start: (moment) => toMoment(windowStart(interval, toNs(moment))),
      next: (start) => toMoment(windowEnd(interval, toNs(start))),
      previous: (start) => toMoment(windowStart(interval, toNs(start) - 1n)),
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

/** Points for windows without one. `points` are in the order of the answer; so are those that come out. */
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
  const last = toMoment(end);
  const isBehind = (moment: Timestamp) =>
    isDescending ? compareTimestamps(moment, last) < 0 : compareTimestamps(moment, last) > 0;
  for (
    let moment = toMoment(begin);
    !isBehind(moment);
    moment = isDescending ? clock.previous(moment) : clock.next(moment)
  ) {
    const here = points[at];
    if (here !== undefined && here.ms === moment.ms && here.ns === moment.ns) {
      filled.push(here);
      at++;
    } else {
      filled.push({ ...moment, cell: fillCell(options, moment, { before: points[at - 1], after: here }) });
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
  moment: { ms: number; ns: number },
  { before, after }: Neighbours,
): Cell {
  if (fill.kind === 'number') return fillNumber(fill.value, type);
  if (fill.kind === 'null') return isCount ? 0 : null;
  if (fill.kind === 'previous') return before?.cell ?? null;
  if (before === undefined || after === undefined || before.cell === null || after.cell === null) return null;
  if (type === 'string' || type === 'boolean') return null;
  const slope = (Number(after.cell) - Number(before.cell)) / Number(toNs(after) - toNs(before));
  const value = slope * Number(toNs(moment) - toNs(before)) + Number(before.cell);
  return type === 'float' ? value : Math.trunc(value);
}

function fillNumber(value: number, type: FieldType): Cell {
  if (type === 'float') return value;
  if (type === 'boolean') return false;
  return type === 'string' ? '' : Math.trunc(value);
}
