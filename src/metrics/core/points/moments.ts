import type { Moment, Moments, TimeRange } from '../points.ts';

/** Below 0: a comes first. */
export function compareMoments(a: Moment, b: Moment): number {
  return a.ms - b.ms || a.ns - b.ns;
}

export function momentAt({ ms, ns }: Moments, index: number): Moment {
  return { ms: ms[index] as number, ns: ns[index] as number };
}

/** How many of these, which are in the order of time, are before the moment. */
export function countBefore({ ms, ns }: Moments, moment: Moment): number {
  let [low, high] = [0, ms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const difference = (ms[middle] as number) - moment.ms || (ns[middle] as number) - moment.ns;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the range begins and ends among moments in the order of time. */
export function placesOf(moments: Moments, { from, to }: TimeRange): readonly [start: number, end: number] {
  const start = from ? countBefore(moments, from) : 0;
  const end = to ? countBefore(moments, to) : moments.ms.length;
  return [start, Math.max(start, end)];
}

/** The first moment that is later. */
export function justAfter({ ms, ns }: Moment): Moment {
  return ns < 999_999 ? { ms, ns: ns + 1 } : { ms: ms + 1, ns: 0 };
}
