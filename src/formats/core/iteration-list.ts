import type { IterationReading } from './format.ts';

/** Offsets are doubles: whole nanoseconds up to here, 104 days; a second is left for sums with another. */
export const MAX_OFFSET_NS = 2 ** 53 - 1e9;

/** Collects the iterations of one file, then makes columns of them. */
export interface IterationList {
  readonly failed: string[];
  readonly notes: string[];
  /** `start` counts from the origin of the list; undefined where the harness does not tell it. */
  add(number: number, start: number | undefined, time: number): void;
  finish(more: Pick<IterationReading, 'originNs' | 'clock' | 'extra'>): IterationReading;
}

export function createIterationList(): IterationList {
  const numbers: number[] = [];
  const starts: number[] = [];
  const times: number[] = [];
  const failed: string[] = [];
  const notes: string[] = [];
  return {
    failed,
    notes,
    add(number, start, time) {
      numbers.push(number);
      times.push(time);
      if (start !== undefined) starts.push(start);
    },
    finish(more) {
      // With gaps among them the moments are of no use: nobody could say whose they are.
      const hasMoments = starts.length === numbers.length && numbers.length > 0;
      const moments = hasMoments
        ? {
            starts: Float64Array.from(starts),
            ends: Float64Array.from(starts, (start, index) => start + (times[index] ?? 0)),
          }
        : {};
      return {
        numbers: Int32Array.from(numbers),
        times: Float64Array.from(times),
        ...moments,
        ...more,
        failed,
        notes,
      };
    },
  };
}

/** Says why a time or an offset in nanoseconds cannot be used; undefined when it can. */
export function whyNotNs(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'not a number';
  return Math.abs(value) < MAX_OFFSET_NS ? undefined : 'more than 104 days';
}
