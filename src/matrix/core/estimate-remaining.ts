/** Enough to ignore an outlier, few enough to follow a change. */
const KEPT = 51;

/** Estimates how long the waiting tests will take, from how long others took. */
export interface Estimate {
  expect(experiment: string): void;
  /** Removes a waiting test that took no time: its template could not be filled. */
  forget(experiment: string): void;
  finish(experiment: string, durationMs: number): void;
  /** Undefined until the first test has ended. */
  remainingMs(jobs: number): number | undefined;
}

/** A waiting test takes as long as the median of its experiment, or of all tests while none of it has ended. */
export function createEstimate(): Estimate {
  const waiting = new Map<string, number>();
  const times = new Map<string, number[]>();
  const all: number[] = [];
  const count = (experiment: string, by: number) =>
    waiting.set(experiment, (waiting.get(experiment) ?? 0) + by);
  return {
    expect: (experiment) => void count(experiment, 1),
    forget: (experiment) => void count(experiment, -1),
    finish(experiment, durationMs) {
      count(experiment, -1);
      const own = times.get(experiment) ?? [];
      times.set(experiment, own);
      for (const list of [own, all]) {
        list.push(durationMs);
        if (list.length > KEPT) list.shift();
      }
    },
    remainingMs(jobs) {
      const usual = middle(all);
      if (usual === undefined) return undefined;
      let total = 0;
      let left = 0;
      for (const [experiment, tests] of waiting) {
        total += tests * (middle(times.get(experiment) ?? []) ?? usual);
        left += tests;
      }
      return total / Math.max(1, Math.min(jobs, left));
    },
  };
}

function middle(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
