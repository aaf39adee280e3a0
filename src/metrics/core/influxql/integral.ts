import { windowEnd, windowStart } from './fill.ts';
import type { Task } from './select.ts';
import { toMoment, toNs } from './time.ts';
import type { Point } from './transform.ts';
import type { Vector } from './vector.ts';

/** Area under straight lines between points, in units of time; windows are parted on the line. */
export function integrate(vector: Vector, { plan, select }: Task, unit: bigint): readonly Point[] {
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
      found.push({ ...toMoment(start), cell: total });
      start = windowStart(interval, here.at);
      total = 0;
    }
    if (here.at !== previous.at) total += area(previous, here);
    previous = here;
  }
  if (previous !== undefined) found.push({ ...toMoment(start), cell: total });
  return select.isDescending ? found.reverse() : found;
}
