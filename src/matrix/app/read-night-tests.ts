import type { Payload } from '../../formats/core/kpi/kpi.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import { isMatrix, nightTests } from '../core/night-tests.ts';

/** Older nights are not looked at: a matrix of a hundred points has thousands of tests in these. */
const NIGHTS = 50;

export interface NightTests {
  /** The oldest first. */
  readonly tests: readonly Payload[];
  readonly hasOlder: boolean;
}

/** Every point that matrices of experiments measured in the newest nights. */
export async function readNightTests(store: Store, limit: number): Promise<NightTests> {
  const found = await store.latestRuns({ limit: NIGHTS + 1, kind: 'night' });
  const runs = found.slice(0, NIGHTS);
  const matrices = await matricesOf(store, runs);
  const tests: (readonly Payload[])[] = [];
  let count = 0;
  for (const [place, run] of runs.entries()) {
    for (const experiment of matrices) {
      const own = nightTests(run, experiment, await store.samplesOf(run.id, experiment));
      if (count + own.length > limit) return { tests: tests.reverse().flat(), hasOlder: true };
      tests.push(own);
      count += own.length;
    }
    if (place === 0 && matrices.length === 0) break;
  }
  return { tests: tests.reverse().flat(), hasOlder: count > 0 && found.length > NIGHTS };
}

/** Experiments whose newest results have several settings. */
async function matricesOf(store: Store, runs: readonly Run[]): Promise<readonly string[]> {
  const newest = await store.newestTasks(runs.map(({ id }) => id));
  const matrices: string[] = [];
  for (const { kind, task } of newest) {
    if (kind !== 'experiment') continue;
    // One that failed last has its settings from the night before.
    for (const { id } of runs) {
      const samples = await store.samplesOf(id, task);
      if (samples.length === 0) continue;
      if (isMatrix(samples)) matrices.push(task);
      break;
    }
  }
  return matrices;
}
