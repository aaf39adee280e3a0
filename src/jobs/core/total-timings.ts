import type { JobTiming } from './job.ts';

/** One event over all workers that told it. */
export interface TotalTiming {
  readonly event: string;
  readonly mean: number;
  readonly instances: number;
  /** Mean times instances. */
  readonly total: number;
}

/** In the order in which the events came first. */
export function totalTimings(timings: readonly JobTiming[]): readonly TotalTiming[] {
  const totals = new Map<string, { instances: number; total: number }>();
  for (const { event, mean, instances } of timings) {
    const sum = totals.get(event) ?? { instances: 0, total: 0 };
    totals.set(event, { instances: sum.instances + instances, total: sum.total + mean * instances });
  }
  return [...totals].map(([event, { instances, total }]) => ({
    event,
    instances,
    total,
    mean: instances === 0 ? Number.NaN : total / instances,
  }));
}
