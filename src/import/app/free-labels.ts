import type { Store } from '../../home/core/store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { nightLabel } from '../../platform/core/text/times.ts';

/** Labels that name no run of the home yet. */
export interface FreeLabels {
  take(at: number): string;
}

const ALL = 10_000_000;

export async function freeLabels(store: Store, clock: Pick<Clock, 'wall'>): Promise<FreeLabels> {
  const taken = new Set((await store.latestRuns({ limit: ALL })).map(({ label }) => label));
  // A history may have thousands of runs in one minute: nobody counts from the beginning for each.
  const counts = new Map<string, number>();
  return {
    take(at) {
      const base = nightLabel(clock.wall(at));
      let count = counts.get(base) ?? 0;
      let label: string;
      do label = ++count === 1 ? base : `${base}-${count}`;
      while (taken.has(label));
      counts.set(base, count);
      taken.add(label);
      return label;
    },
  };
}
