import type { FieldType } from '../points/points.ts';
import type { Member } from './catalog.ts';
import type { Span } from './condition.ts';
import { filterVector, type Slot, slotOf } from './evaluate.ts';
import type { Group } from './group-series.ts';
import { type Call, type Expression, isCall, isRef } from './parse/ast.ts';
import { MIN_NS, toNs, toTimestamp } from './parse/time.ts';
import type { Task } from './plan.ts';
import { distinctPoints, reduceSlice, samplePoints, topPoints, typeOfAggregate } from './reduce.ts';
import { fillWindows, windowEnd, windowStart, windowsOf } from './time-windows.ts';
import { type Point, TRANSFORMS, transform, typeOfTransform } from './transform.ts';
import { cellAt, indexFrom, mergeVectors, type Vector } from './vector.ts';

export interface Computed {
  readonly type: FieldType;
  readonly points: readonly Point[];
  readonly vector: Vector;
  /** Index in the group of each merged vector. */
  readonly members: readonly number[];
}

export type Latest = Map<number, Vector | undefined>;

export interface CallOptions {
  readonly task: Task;
  /** The only call is a selector: the time of its point is shown. */
  readonly isSelector: boolean;
  readonly latest: Latest;
  /** Cache by series, field and span: min, max and mean of one field read it once. */
  readonly loaded: Map<string, Promise<Vector | undefined>>;
}

export const EMPTY: Vector = {
  type: 'float',
  ms: new Float64Array(),
  ns: new Int32Array(),
  numbers: new Float64Array(),
};

/** The points of one call for one group, in the order of the answer. */
export async function callPoints(call: Call, group: Group, options: CallOptions): Promise<Computed> {
  const { task } = options;
  const [of] = call.args;
  if (TRANSFORMS.has(call.name) && of) {
    const inner = isCall(of)
      ? await callPoints(of, group, {
          ...options,
          isSelector: false,
          task: { ...task, span: widen(call, task) },
        })
      : await rawPoints(of, group, options);
    const type = typeOfTransform(call.name, inner.type);
    return {
      ...inner,
      type,
      points: transform({ name: call.name, argument: argumentOf(call, task) }, inner.points),
    };
  }
  if (of && isCall(of)) return countDistinct(of, group, options);
  const merged = await load(call, group, options);
  const type = typeOfAggregate(call.name, merged.vector.type);
  const points = windows(merged.vector, task).flatMap((slice) =>
    pointsOf(call, merged, { ...slice, group, options }),
  );
  if (call.name === 'integral')
    return { ...merged, type, points: integrate(merged.vector, task, argumentOf(call, task)) };
  return { ...merged, type, points: finish(points, call, { type, task }) };
}

/** Points of windows become those of the answer: ordered and filled. */
export function finish(
  points: Point[],
  call: Call,
  { type, task }: { type: FieldType; task: Task },
): readonly Point[] {
  const { plan, select, span, context } = task;
  if (select.isDescending) points.reverse();
  if (!plan.interval || ['distinct', 'top', 'bottom', 'sample'].includes(call.name)) return points;
  return fillWindows(points, {
    fill: select.fill,
    interval: plan.interval,
    span,
    isDescending: select.isDescending,
    type,
    isCount: call.name === 'count',
    maxRows: context.maxRows,
  });
}

async function countDistinct(inner: Call, group: Group, options: CallOptions): Promise<Computed> {
  const merged = await load(inner, group, options);
  const points = windows(merged.vector, options.task).map(({ low, high, time }) => ({
    ...time,
    cell: distinctPoints(merged.vector, { low, high }).length,
  }));
  const call: Call = { kind: 'call', name: 'count', args: [] };
  return {
    ...merged,
    type: 'integer',
    points: finish(points, call, { type: 'integer', task: options.task }),
  };
}

/** Functions of neighbours need the window before the first one. */
function widen(call: Call, { span, plan }: Task): Span {
  if (!plan.interval || span.min === MIN_NS || call.name === 'cumulative_sum') return span;
  return { min: span.min - plan.interval.length, max: span.max };
}

function argumentOf({ name, args }: Call, { plan }: Task): bigint {
  const [of, second] = args;
  if (second?.kind === 'duration') return second.ns > 0n ? second.ns : 1n;
  if (second?.kind === 'number') return BigInt(Math.max(1, Math.trunc(second.value)));
  if (name === 'elapsed') return 1n;
  return of && isCall(of) && plan.interval ? plan.interval.length : 1_000_000_000n;
}

async function rawPoints(of: Expression, group: Group, options: CallOptions): Promise<Computed> {
  const merged = await load({ kind: 'call', name: '', args: [of] }, group, options);
  const { ms, ns } = merged.vector;
  const points = Array.from(
    ms,
    (at, i): Point => ({ ms: at, ns: ns[i] as number, cell: cellAt(merged.vector, i) }),
  );
  if (options.task.select.isDescending) points.reverse();
  return { ...merged, type: merged.vector.type, points };
}

async function load(
  call: Call,
  group: Group,
  { task, latest, loaded }: CallOptions,
): Promise<Omit<Computed, 'type' | 'points'>> {
  const [of] = call.args;
  const slot = of && isRef(of) ? slotOf(of, task.schema) : undefined;
  if (!slot || slot.isTag) return { vector: EMPTY, members: [] };
  const vectors: Vector[] = [];
  const members: number[] = [];
  for (const [place, one] of group.members.entries()) {
    const column = one.member.column(slot.name);
    const isKnown = call.name === 'last' && column !== undefined && latest.has(column);
    const vector = isKnown ? latest.get(column) : await loadOnce(slot, [place, one.member], { task, loaded });
    if (vector === undefined) continue;
    const kept = await filterVector(vector, one, task.schema);
    if (kept.ms.length === 0) continue;
    vectors.push(kept);
    members.push(place);
  }
  return {
    vector: vectors.length === 0 ? { ...EMPTY, type: slot.type } : mergeVectors(vectors, slot.type),
    members,
  };
}

function loadOnce(
  { name, type }: Slot,
  [place, member]: readonly [number, Member],
  { task: { span }, loaded }: Pick<CallOptions, 'task' | 'loaded'>,
): Promise<Vector | undefined> {
  const key = `${place} ${span.min} ${span.max} ${type} ${name}`;
  const loading = loaded.get(key) ?? member.load(name, type, { span });
  loaded.set(key, loading);
  return loading;
}

interface Window {
  readonly low: number;
  readonly high: number;
  readonly time: { readonly ms: number; readonly ns: number };
}

/** Slices of a vector by GROUP BY time; one slice when there is none. */
function windows(vector: Vector, { plan, span }: Task): readonly Window[] {
  const count = vector.ms.length;
  const { interval } = plan;
  if (count === 0) return [];
  if (!interval) return [{ low: 0, high: count, time: toTimestamp(span.min === MIN_NS ? 0n : span.min) }];
  const found: Window[] = [];
  const clock = windowsOf(interval);
  for (let low = 0; low < count; ) {
    const time = clock.start({ ms: vector.ms[low] as number, ns: vector.ns[low] as number });
    const high = indexFrom(vector, clock.next(time), low);
    found.push({ low, high, time });
    low = high;
  }
  return found;
}

interface SliceOptions extends Window {
  readonly group: Group;
  readonly options: CallOptions;
}

function pointsOf(
  call: Call,
  { vector, members }: Omit<Computed, 'type' | 'points'>,
  { low, high, time, group, options }: SliceOptions,
): readonly Point[] {
  const { name, args } = call;
  if (name === 'sample') return samplePoints(call, vector, { low, high });
  if (name === 'distinct') return distinctPoints(vector, { low, high }).map((cell) => ({ ...time, cell }));
  if (name === 'top' || name === 'bottom') return topPoints(call, vector, { low, high, members, group });
  const second = args[1];
  const argument = second?.kind === 'number' ? { argument: second.value } : {};
  const reduced = reduceSlice({ name, ...argument }, vector, { low, high });
  if (reduced === undefined) return [];
  const { index } = reduced;
  const usesOwnTime = options.isSelector && !options.task.plan.interval && index !== undefined;
  const at = usesOwnTime ? { ms: vector.ms[index] as number, ns: vector.ns[index] as number } : time;
  return [{ ...at, cell: reduced.cell, ...(index === undefined ? {} : { index }) }];
}

/** Area under straight lines between points, in units of time; windows are split on the line. */
function integrate(vector: Vector, { plan, select }: Task, unit: bigint): readonly Point[] {
  const numbers = vector.numbers ?? new Float64Array();
  const { interval } = plan;
  const found: Point[] = [];
  const area = (from: { at: bigint; value: number }, to: { at: bigint; value: number }) =>
    0.5 * (from.value + to.value) * (Number(to.at - from.at) / Number(unit));
  let previous: { at: bigint; value: number } | undefined;
  let start = 0n;
  let total = 0;
  for (let i = 0; i < numbers.length; i++) {
    const here = {
      at: toNs({ ms: vector.ms[i] as number, ns: vector.ns[i] as number }),
      value: numbers[i] as number,
    };
    if (previous === undefined) {
      if (interval) start = windowStart(interval, here.at);
      previous = here;
      continue;
    }
    if (interval && here.at >= windowEnd(interval, start)) {
      const end = windowEnd(interval, start);
      const slope = (here.value - previous.value) / Number(here.at - previous.at);
      const edge = { at: end, value: slope * Number(end - previous.at) + previous.value };
      if (previous.at !== end) {
        total += area(previous, edge);
        previous = edge;
      }
      found.push({ ...toTimestamp(start), cell: total });
      start = windowStart(interval, here.at);
      total = 0;
    }
    if (here.at !== previous.at) total += area(previous, here);
    previous = here;
  }
  if (previous !== undefined) found.push({ ...toTimestamp(start), cell: total });
  return select.isDescending ? found.reverse() : found;
}
