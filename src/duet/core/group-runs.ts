import type { DuetIterations } from './duet-iterations.ts';

/** Runs that are judged together, in the order in which they came. */
export type RunGroup = readonly [DuetIterations, ...DuetIterations[]];

/** One group for each place, suite, benchmark and way of running; every run is in exactly one. */
export function groupRuns(runs: readonly DuetIterations[]): readonly RunGroup[] {
  const groups = new Map<string, [DuetIterations, ...DuetIterations[]]>();
  for (const run of runs) {
    const key = groupKey(run);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return [...groups.values()];
}

/** The same text for runs of one group only, whatever characters their names have. */
export function groupKey({ environment, suite, benchmark, type }: GroupNames): string {
  return JSON.stringify([environment, suite, benchmark, type]);
}

export type GroupNames = Pick<DuetIterations, 'environment' | 'suite' | 'benchmark' | 'type'>;
