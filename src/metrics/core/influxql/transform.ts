import { NightmarkError } from '../../../platform/core/errors.ts';
import type { FieldType } from '../points/points.ts';
import { toNs } from './parse/time.ts';
import { difference } from './reduce.ts';
import { type Cell, narrow } from './vector.ts';

/** One value at one time on its way through a query. */
export interface Point {
  readonly ms: number;
  readonly ns: number;
  readonly cell: Cell;
  /** Row of the vector it came from. */
  readonly index?: number;
}

export const TRANSFORMS: ReadonlySet<string> = new Set(
  'derivative non_negative_derivative difference non_negative_difference moving_average cumulative_sum elapsed'.split(
    ' ',
  ),
);

export function typeOfTransform(name: string, of: FieldType): FieldType {
  if (name === 'elapsed') return 'integer';
  if (of === 'string' || of === 'boolean') {
    throw new NightmarkError(
      'QUERY_TYPES',
      `unsupported ${name} iterator type: *query.${of}InterruptIterator`,
    );
  }
  return name.endsWith('derivative') || name === 'moving_average' ? 'float' : of;
}

export interface TransformOptions {
  readonly name: string;
  /** Nanoseconds of the unit, or how many values a moving average spans. */
  readonly argument: bigint;
}

/** Applies a function of neighbours to points; nulls are skipped. */
export function transform({ name, argument }: TransformOptions, all: readonly Point[]): readonly Point[] {
  const points = all.filter(({ cell }) => cell !== null);
  if (name === 'cumulative_sum') return cumulate(points);
  if (name === 'moving_average') return average(points, Number(argument));
  if (name === 'elapsed') return pairs(points, (a, b) => Number((toNs(b) - toNs(a)) / argument));
  const advancing = points.filter((point, i) => !isSameTime(points[i - 1], point));
  const isDerivative = name.endsWith('derivative');
  const isKept = name.startsWith('non_negative') ? (cell: Cell) => Number(cell) >= 0 : () => true;
  const change = (a: Point, b: Point): Cell => {
    const delta = difference(b.cell, a.cell);
    // Going backwards in time keeps the sign of going forwards in the list, as InfluxDB has it.
    return isDerivative ? Number(delta) / (Math.abs(Number(toNs(b) - toNs(a))) / Number(argument)) : delta;
  };
  return pairs(advancing, change).filter(({ cell }) => isKept(cell));
}

function isSameTime(a: Point | undefined, b: Point): boolean {
  return a !== undefined && a.ms === b.ms && a.ns === b.ns;
}

function pairs(points: readonly Point[], join: (a: Point, b: Point) => Cell): Point[] {
  return points
    .slice(1)
    .map((point, i) => ({ ms: point.ms, ns: point.ns, cell: join(points[i] as Point, point) }));
}

function cumulate(points: readonly Point[]): Point[] {
  let total: number | bigint = 0;
  return points.map(({ ms, ns, cell }) => {
    const isExact = typeof total === 'bigint' || typeof cell === 'bigint';
    total = isExact ? narrow(BigInt(total) + BigInt(cell as number)) : (total as number) + (cell as number);
    return { ms, ns, cell: total };
  });
}

function average(points: readonly Point[], width: number): Point[] {
  const found: Point[] = [];
  const isExact = points.some(({ cell }) => typeof cell === 'bigint');
  let exact = 0n;
  let total = 0;
  for (const [i, { ms, ns, cell }] of points.entries()) {
    const left = i < width ? 0 : (points[i - width] as Point).cell;
    // The old value goes first, so that a huge one leaves the sum as it does in InfluxDB.
    if (isExact) exact += BigInt(cell as number) - BigInt(left as number);
    else total = total - Number(left) + Number(cell);
    if (i >= width - 1) found.push({ ms, ns, cell: (isExact ? Number(exact) : total) / width });
  }
  return found;
}
