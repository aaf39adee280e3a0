import { NightmarkError } from '../../../platform/core/errors.ts';
import { seededRandom } from '../../../stats/random.ts';
import type { FieldType } from '../points/points.ts';
import type { Group } from './group-series.ts';
import { type Call, isRef } from './parse/ast.ts';
import { queryError } from './parse/lexer.ts';
import type { Point } from './transform.ts';
import { type Cell, cellAt, narrow, type Vector } from './vector.ts';

/** The result of an aggregate: a cell, and for selectors the index of the value. */
export interface Reduced {
  readonly cell: Cell;
  readonly index?: number;
}

export const SELECTORS: ReadonlySet<string> = new Set([
  'first',
  'last',
  'min',
  'max',
  'percentile',
  'top',
  'bottom',
  'sample',
]);
export const AGGREGATES: ReadonlySet<string> = new Set(
  'count sum mean median mode stddev spread distinct integral first last min max percentile top bottom sample'.split(
    ' ',
  ),
);

const OF_ANY: ReadonlySet<string> = new Set(['count', 'first', 'last', 'mode', 'distinct', 'sample']);

/** The type of a result; throws for types without a meaning, with InfluxDB's message. */
export function typeOfAggregate(name: string, of: FieldType): FieldType {
  const isFine = OF_ANY.has(name) || of === 'float' || of === 'integer' || of === 'unsigned';
  if (!isFine && !(of === 'boolean' && (name === 'min' || name === 'max'))) {
    throw new NightmarkError(
      'QUERY_TYPES',
      `unsupported ${name} iterator type: *query.${of}InterruptIterator`,
    );
  }
  if (name === 'count') return 'integer';
  return name === 'mean' || name === 'median' || name === 'stddev' || name === 'integral' ? 'float' : of;
}

/** Reduces the values from `low` to before `high`; undefined: there is none. */
export function reduceSlice(
  { name, argument = 0 }: { readonly name: string; readonly argument?: number },
  vector: Vector,
  { low, high }: { readonly low: number; readonly high: number },
): Reduced | undefined {
  if (low >= high) return undefined;
  switch (name) {
    case 'count':
      return { cell: high - low };
    case 'sum':
      return { cell: sum(vector, low, high) };
    case 'mean':
      return { cell: Number(sum(vector, low, high)) / (high - low) };
    case 'min':
    case 'max':
      return extreme(vector, low, high, name === 'max');
    case 'first':
    case 'last':
      return outermost(vector, low, high, name === 'last');
    case 'spread':
      return {
        cell: difference(extreme(vector, low, high, true).cell, extreme(vector, low, high, false).cell),
      };
    case 'percentile':
      return percentile(vector, low, high, argument);
    case 'median':
      return { cell: median(vector, low, high) };
    case 'stddev':
      return { cell: deviation(vector, low, high) };
    default:
      return { cell: mode(vector, low, high) };
  }
}

function sum(vector: Vector, low: number, high: number): number | bigint {
  if (vector.cells) {
    let total = 0n;
    for (let i = low; i < high; i++) total += BigInt(vector.cells[i] as number | bigint);
    return narrow(BigInt.asIntN(64, total));
  }
  const numbers = vector.numbers as Float64Array;
  let total = 0;
  for (let i = low; i < high; i++) total += numbers[i] as number;
  if (vector.type === 'float' || Number.isSafeInteger(total)) return total;
  let exact = 0n;
  for (let i = low; i < high; i++) exact += BigInt(numbers[i] as number);
  return narrow(BigInt.asIntN(64, exact));
}

function extreme(vector: Vector, low: number, high: number, wantsMost: boolean): Reduced & { index: number } {
  let index = low;
  if (vector.cells) {
    for (let i = low + 1; i < high; i++) {
      const [a, b] = [cellAt(vector, i), cellAt(vector, index)] as [number, number];
      if (wantsMost ? a > b : a < b) index = i;
    }
  } else {
    const numbers = vector.numbers as Float64Array;
    let best = numbers[low] as number;
    for (let i = low + 1; i < high; i++) {
      const value = numbers[i] as number;
      if (wantsMost ? value > best : value < best) {
        best = value;
        index = i;
      }
    }
  }
  return { cell: cellAt(vector, index), index };
}

/** At the same timestamp the greater value counts, as in InfluxDB. */
function outermost(vector: Vector, low: number, high: number, wantsLast: boolean): Reduced {
  const { ms, ns } = vector;
  let index = wantsLast ? high - 1 : low;
  const step = wantsLast ? -1 : 1;
  for (let i = index + step; i >= low && i < high && ms[i] === ms[index] && ns[i] === ns[index]; i += step) {
    if ((cellAt(vector, i) as number) > (cellAt(vector, index) as number)) index = i;
  }
  return { cell: cellAt(vector, index), index };
}

export function difference(a: Cell, b: Cell): Cell {
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    return narrow(BigInt.asIntN(64, BigInt(a as number) - BigInt(b as number)));
  }
  return (a as number) - (b as number);
}

function byValue(vector: Vector, low: number, high: number): number[] {
  const rows = Array.from({ length: high - low }, (_, index) => low + index);
  return rows.sort((a, b) => compareCells(cellAt(vector, a), cellAt(vector, b)) || a - b);
}

function compareCells(a: Cell, b: Cell): number {
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function percentile(vector: Vector, low: number, high: number, percent: number): Reduced | undefined {
  const rank = Math.floor(((high - low) * percent) / 100 + 0.5) - 1;
  if (rank < 0 || rank >= high - low) return undefined;
  const index = byValue(vector, low, high)[rank] as number;
  return { cell: cellAt(vector, index), index };
}

function median(vector: Vector, low: number, high: number): number {
  const sorted = (vector.numbers as Float64Array).slice(low, high).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1] as number;
  return lower + (upper - lower) / 2;
}

/** Of a sample; null for a single value. */
function deviation(vector: Vector, low: number, high: number): Cell {
  if (high - low < 2) return null;
  const values = (vector.numbers as Float64Array).subarray(low, high);
  let mean = 0;
  let count = 0;
  for (const value of values) mean += (value - mean) / ++count;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (count - 1));
}

/** The most frequent value; of equally frequent ones the one whose last appearance is first. */
function mode(vector: Vector, low: number, high: number): Cell {
  const rows = byValue(vector, low, high);
  let current = cellAt(vector, rows[0] as number);
  let best = current;
  let frequency = 0;
  let most = 0;
  let bestRow = rows[0] as number;
  let currentRow = bestRow;
  for (const row of rows) {
    const value = cellAt(vector, row);
    if (value !== current) {
      frequency = 1;
      current = value;
      currentRow = row;
      continue;
    }
    frequency++;
    if (most > frequency || (most === frequency && currentRow > bestRow)) continue;
    most = frequency;
    best = value;
    bestRow = row;
  }
  return best;
}

interface IndexRange {
  readonly low: number;
  readonly high: number;
}

/** Each value once, by first appearance. */
export function distinctPoints(vector: Vector, { low, high }: IndexRange): readonly Cell[] {
  const seen = new Set<Cell>();
  for (let i = low; i < high; i++) seen.add(cellAt(vector, i));
  return [...seen];
}

/** The points of top() and bottom(), in time order; with tags, the best of each tag first. */
export function topPoints(
  { name, args }: Call,
  vector: Vector,
  { low, high, members, group }: IndexRange & { readonly members: readonly number[]; readonly group: Group },
): readonly Point[] {
  const last = args.at(-1);
  if (last?.kind !== 'number' || last.integer === undefined) {
    throw queryError(`expected integer as last argument in ${name}(), found ${last?.kind ?? 'nothing'}`);
  }
  const sign = name === 'top' ? -1 : 1;
  const rows = Array.from({ length: high - low }, (_, i) => low + i);
  rows.sort((a, b) => sign * compareCells(cellAt(vector, a), cellAt(vector, b)) || a - b);
  const tags = args.slice(1, -1).filter(isRef);
  const seen = new Set<string>();
  const best =
    tags.length === 0
      ? rows
      : rows.filter((row) => {
          const member = group.members[members[vector.from?.[row] ?? 0] ?? 0]?.member;
          const key = tags.map((tag) => member?.tags.get(tag.name) ?? '').join('\0');
          return !seen.has(key) && seen.add(key);
        });
  return best
    .slice(0, last.value)
    .sort((a, b) => a - b)
    .map((index) => ({
      ms: vector.ms[index] as number,
      ns: vector.ns[index] as number,
      cell: cellAt(vector, index),
      index,
    }));
}

/** A random sample of a range; the same query returns the same sample. */
export function samplePoints({ args }: Call, vector: Vector, { low, high }: IndexRange): readonly Point[] {
  const wanted = args[1]?.kind === 'number' ? args[1].value : 1;
  const kept = Array.from({ length: Math.min(wanted, high - low) }, (_, i) => low + i);
  const random = seededRandom(SAMPLE_SEED);
  // Algorithm R (Vitter, 1985): the i-th takes the place of one of those kept with probability wanted / i.
  for (let i = low + kept.length; i < high; i++) {
    const place = Math.floor(random() * (i - low + 1));
    if (place < kept.length) kept[place] = i;
  }
  return kept
    .sort((a, b) => a - b)
    .map((index) => ({ ...timestampOf(vector, index), cell: cellAt(vector, index), index }));
}

const SAMPLE_SEED = 1;

function timestampOf({ ms, ns }: Vector, index: number): { readonly ms: number; readonly ns: number } {
  return { ms: ms[index] as number, ns: ns[index] as number };
}
