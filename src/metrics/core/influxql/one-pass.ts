import type { ColumnValues, Timestamp } from '../points/points.ts';
import { type Computed, EMPTY, finish } from './call-points.ts';
import { toRange } from './condition.ts';
import { slotOf } from './evaluate.ts';
import type { Group } from './group-series.ts';
import { type Call, isRef } from './parse/ast.ts';
import { MIN_NS, toTimestamp } from './parse/time.ts';
import type { Task } from './plan.ts';
import { typeOfAggregate } from './reduce.ts';
import { type Windows, windowsOf } from './time-windows.ts';
import type { Point } from './transform.ts';
import { indexFrom } from './vector.ts';

const STREAMABLE: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'mean',
  'min',
  'max',
  'spread',
  'first',
  'last',
]);

/** Whether all of these can be computed in one pass. */
export function isStreamable(calls: readonly Call[]): boolean {
  return calls.every(({ name, args: [of] }) => STREAMABLE.has(name) && of && isRef(of));
}

/**
 * Aggregates of a group of one series in one pass over its values, without all of them in memory. Values are added in the
 * same order as elsewhere, so sums have the same digits. Undefined: `callPoints` has to compute them.
 */
export async function streamAggregates(
  calls: readonly Call[],
  { members }: Group,
  task: Task,
): Promise<readonly Computed[] | undefined> {
  const { plan, schema, span, context } = task;
  const of = calls[0]?.args[0];
  const slot = of && isRef(of) ? slotOf(of, schema) : undefined;
  const isSame = calls.every(({ args: [ref] }) => {
    const other = ref && isRef(ref) ? slotOf(ref, schema) : undefined;
    return other?.name === slot?.name && other?.type === slot?.type;
  });
  const only = members.length === 1 ? members[0] : undefined;
  if (!slot || slot.isTag || !isSame || !only || only.rest !== undefined || span.min > span.max)
    return undefined;
  const column = only.member.column(slot.name);
  const isNumber = slot.type === 'float' || slot.type === 'integer' || slot.type === 'unsigned';
  if (column === undefined || !isNumber || !context.reader.readParts) return undefined;
  const sums = new WindowSums(
    plan.interval ? windowsOf(plan.interval) : undefined,
    toTimestamp(span.min === MIN_NS ? 0n : span.min),
    new Set(calls.map(({ name }) => name)),
  );
  for (const part of await context.reader.readParts(column, toRange(span))) {
    if (part.type !== slot.type || !part.numbers || part.bigints) return undefined;
    sums.add(part, part.numbers);
  }
  // Integers beyond what a float adds exactly.
  if (slot.type !== 'float' && sums.found.some(({ sum }) => !Number.isSafeInteger(sum))) return undefined;
  return calls.map((call) => {
    const type = typeOfAggregate(call.name, slot.type);
    const points = sums.found.map((window) => pointOf(call.name, window));
    return { type, points: finish(points, call, { type, task }), vector: EMPTY, members: [] };
  });
}

/** The aggregates of one window. */
interface WindowSum {
  readonly time: Timestamp;
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly first: number;
  last: number;
}

function pointOf(name: string, { time: { ms, ns }, count, sum, min, max, first, last }: WindowSum): Point {
  const cells: Readonly<Record<string, number>> = {
    count,
    sum,
    mean: sum / count,
    min,
    max,
    spread: max - min,
    first,
    last,
  };
  return { ms, ns, cell: cells[name] as number };
}

/** Adds values to windows, in time order. */
class WindowSums {
  readonly found: WindowSum[] = [];
  readonly #windows: Windows | undefined;
  /** Of the only window, without GROUP BY time. */
  readonly #start: Timestamp;
  readonly #wantsSum: boolean;
  readonly #wantsExtremes: boolean;
  /** Where the last window ends. */
  #end: Timestamp | undefined;

  constructor(windows: Windows | undefined, start: Timestamp, names: ReadonlySet<string>) {
    this.#windows = windows;
    this.#start = start;
    this.#wantsSum = names.has('sum') || names.has('mean');
    this.#wantsExtremes = names.has('min') || names.has('max') || names.has('spread');
  }

  add({ timestamps }: ColumnValues, numbers: Float64Array): void {
    const count = numbers.length;
    for (let low = 0; low < count; ) {
      const isSame = this.#end && isBefore(timestamps, low, this.#end);
      const window = isSame ? (this.found.at(-1) as WindowSum) : this.#open(timestamps, low, numbers);
      const high = this.#end ? indexFrom(timestamps, this.#end, low) : count;
      window.count += high - low;
      window.last = numbers[high - 1] as number;
      if (this.#wantsSum) window.sum = sumOf(numbers, [low, high], window.sum);
      if (this.#wantsExtremes) addExtremes(numbers, [low, high], window);
      low = high;
    }
  }

  #open({ ms, ns }: ColumnValues['timestamps'], at: number, numbers: Float64Array): WindowSum {
    const known = this.#windows ? undefined : this.found[0];
    if (known) return known;
    const time = this.#windows
      ? this.#windows.start({ ms: ms[at] as number, ns: ns[at] as number })
      : this.#start;
    this.#end = this.#windows?.next(time);
    const first = numbers[at] as number;
    const window: WindowSum = { time, count: 0, sum: 0, min: first, max: first, first, last: first };
    this.found.push(window);
    return window;
  }
}

function isBefore({ ms, ns }: ColumnValues['timestamps'], at: number, end: Timestamp): boolean {
  return ((ms[at] as number) - end.ms || (ns[at] as number) - end.ns) < 0;
}

function sumOf(numbers: Float64Array, [low, high]: readonly [number, number], from: number): number {
  let total = from;
  for (let i = low; i < high; i++) total += numbers[i] as number;
  return total;
}

function addExtremes(numbers: Float64Array, [low, high]: readonly [number, number], window: WindowSum): void {
  let { min, max } = window;
  for (let i = low; i < high; i++) {
    const value = numbers[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  window.min = min;
  window.max = max;
}
