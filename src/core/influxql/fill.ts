import { NightmarkError } from '../errors.ts';
import type { FieldType, Moment } from '../model/points.ts';
import type { Fill } from './ast.ts';
import type { Span } from './condition.ts';
import { floorDivide, MAX_NS, MIN_NS, toMoment, toNs } from './time.ts';
import type { Point } from './transform.ts';
import type { Cell } from './vector.ts';

/** Spans of equal length that points are put into. */
export interface Interval {
  readonly length: bigint;
  readonly offset: bigint;
}

export function windowStart({ length, offset }: Interval, ns: bigint): bigint {
  return floorDivide(ns - offset, length) * length + offset;
}

/** Where the window of a moment begins, and the moment so many windows later. */
export interface WindowClock {
  start(moment: Moment): Moment;
  later(moment: Moment, windows: number): Moment;
}

/** With plain numbers where length and offset are whole milliseconds: large integers take most of the time of buckets. */
export function windowClock(interval: Interval): WindowClock {
  const { length, offset } = interval;
  if (length % NS_PER_MS !== 0n || offset % NS_PER_MS !== 0n) {
    return {
      start: (moment) => toMoment(windowStart(interval, toNs(moment))),
      later: (moment, windows) => toMoment(toNs(moment) + BigInt(windows) * length),
    };
  }
  const [lengthMs, offsetMs] = [Number(length / NS_PER_MS), Number(offset / NS_PER_MS)];
  return {
    start: ({ ms }) => ({ ms: Math.floor((ms - offsetMs) / lengthMs) * lengthMs + offsetMs, ns: 0 }),
    later: ({ ms, ns }, windows) => ({ ms: ms + windows * lengthMs, ns }),
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
  const last = points.at(-1);
  if (options.fill.kind === 'none' || first === undefined || last === undefined) return points;
  const { interval, span, isDescending } = options;
  const low = span.min > MIN_NS ? windowStart(interval, span.min) : toNs(isDescending ? last : first);
  const high = span.max < MAX_NS ? windowStart(interval, span.max) : toNs(isDescending ? first : last);
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
  const clock = windowClock(interval);
  const start = toMoment(isDescending ? high : low);
  for (let i = 0; i < Number(count); i++) {
    const moment = clock.later(start, isDescending ? -i : i);
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
