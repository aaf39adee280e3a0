import type { ColumnValues, FieldType, Timestamp } from '../points/points.ts';

/** A cell of a result. */
export type Cell = number | bigint | boolean | string | null;

/** Values of one field in time order. Numbers are in `numbers`; what a number cannot hold exactly is in `cells`. */
export interface Vector {
  readonly type: FieldType;
  readonly ms: Float64Array;
  readonly ns: Int32Array;
  readonly numbers?: Float64Array;
  readonly cells?: readonly Cell[];
  /** Where each value came from, when several vectors became one; absent: all from the first. */
  readonly from?: Uint32Array;
}

/** Undefined: values of this type cannot be cast to the requested one. */
export function toVector(values: ColumnValues, wanted: FieldType): Vector | undefined {
  const { ms, ns } = values.timestamps;
  if (values.type === wanted && values.numbers && !values.bigints)
    return { type: wanted, ms, ns, numbers: values.numbers };
  const cells = exactCells(values);
  const base = {
    ms,
    ns,
    ...(values.numbers ? { numbers: values.numbers } : {}),
    ...(cells ? { cells } : {}),
  };
  if (values.type === wanted) return { type: wanted, ...base };
  if (!values.numbers || values.type === 'boolean') return undefined;
  if (wanted === 'float') return { type: 'float', ms, ns, numbers: values.numbers };
  if (wanted !== 'integer' && wanted !== 'unsigned') return undefined;
  return values.type === 'float'
    ? { type: wanted, ms, ns, numbers: values.numbers.map(Math.trunc) }
    : { type: wanted, ...base };
}

function exactCells({ strings, bigints }: ColumnValues): readonly Cell[] | undefined {
  if (strings) return strings;
  return bigints && Array.from(bigints as BigInt64Array, narrow);
}

/** An integer as a number where that is exact. */
export function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function cellAt(vector: Vector, index: number): Cell {
  if (vector.cells) return vector.cells[index] ?? null;
  const number = vector.numbers?.[index] ?? 0;
  return vector.type === 'boolean' ? number !== 0 : number;
}

/** The first index whose time is not before the timestamp. */
export function indexFrom({ ms, ns }: Pick<Vector, 'ms' | 'ns'>, timestamp: Timestamp, low = 0): number {
  let high = ms.length;
  let from = low;
  while (from < high) {
    const middle = (from + high) >>> 1;
    const at = ms[middle] as number;
    if (at < timestamp.ms || (at === timestamp.ms && (ns[middle] as number) < timestamp.ns))
      from = middle + 1;
    else high = middle;
  }
  return from;
}

export function pick(vector: Vector, rows: Uint32Array): Vector {
  const { type, ms, ns, numbers, cells, from } = vector;
  return {
    type,
    ms: Float64Array.from(rows, (row) => ms[row] as number),
    ns: Int32Array.from(rows, (row) => ns[row] as number),
    ...(numbers ? { numbers: Float64Array.from(rows, (row) => numbers[row] as number) } : {}),
    ...(cells ? { cells: Array.from(rows, (row) => cells[row] ?? null) } : {}),
    ...(from ? { from: Uint32Array.from(rows, (row) => from[row] as number) } : {}),
  };
}

/** One vector of several in time order; at the same timestamp in the order of the vectors. */
export function mergeVectors(vectors: readonly Vector[], type: FieldType): Vector {
  const [only] = vectors;
  if (only !== undefined && vectors.length === 1) return only;
  const count = vectors.reduce((sum, { ms }) => sum + ms.length, 0);
  const ms = new Float64Array(count);
  const ns = new Int32Array(count);
  const from = new Uint32Array(count);
  const numbers = new Float64Array(count);
  const hasCells = vectors.some(({ cells }) => cells !== undefined);
  const cells: Cell[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const [index, vector] of vectors.entries()) {
    starts.push(at);
    ms.set(vector.ms, at);
    ns.set(vector.ns, at);
    from.fill(index, at, at + vector.ms.length);
    if (vector.numbers) numbers.set(vector.numbers, at);
    if (hasCells) for (let i = 0; i < vector.ms.length; i++) cells.push(cellAt(vector, i));
    at += vector.ms.length;
  }
  const whole = { type, ms, ns, numbers, from, ...(hasCells ? { cells } : {}) };
  return pick(whole, mergeOrder({ ms, ns }, starts));
}

/** The order of sorted runs that begin at `starts`, merged pair by pair. */
export function mergeOrder(timestamps: Pick<Vector, 'ms' | 'ns'>, starts: readonly number[]): Uint32Array {
  const count = timestamps.ms.length;
  let order = Uint32Array.from({ length: count }, (_, index) => index);
  let next = new Uint32Array(count);
  let edges = [...starts, count];
  while (edges.length > 2) {
    const merged: number[] = [];
    for (let run = 0; run < edges.length - 1; run += 2) {
      const low = edges[run] as number;
      const middle = edges[run + 1] ?? count;
      mergeRuns(timestamps, { order, next, low, middle, high: edges[run + 2] ?? count });
      merged.push(low);
    }
    edges = [...merged, count];
    [order, next] = [next, order];
  }
  return order;
}

interface Runs {
  readonly order: Uint32Array;
  readonly next: Uint32Array;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

function mergeRuns({ ms, ns }: Pick<Vector, 'ms' | 'ns'>, { order, next, low, middle, high }: Runs): void {
  let left = low;
  let right = middle;
  for (let at = low; at < high; at++) {
    const a = order[left] as number;
    const b = order[right] as number;
    const takesRight =
      left >= middle ||
      (right < high &&
        ((ms[b] as number) < (ms[a] as number) ||
          (ms[b] === ms[a] && (ns[b] as number) < (ns[a] as number))));
    next[at] = takesRight ? b : a;
    if (takesRight) right++;
    else left++;
  }
}
