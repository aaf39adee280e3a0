import { placeSamples } from '../../../formats/core/sample-data.ts';
import type { Store } from '../../../home/core/store.ts';
import { median } from '../../../stats/summary.ts';

/** What the newest runs of an experiment tell of its iterations and of its duration. */
export interface RunTimes {
  /** Samples of each run by the path of their value, as JSON. */
  readonly samples: ReadonlyMap<string, readonly Float64Array[]>;
  /** Usual duration of the stage "run"; absent where no run has one. */
  readonly seconds?: number;
}

/** The machine of today is what counts, and each run may hold many samples. */
const RUNS = 20;

export async function readTimes(
  experiment: string,
  runIds: readonly string[],
  store: Store,
): Promise<RunTimes> {
  const samples = new Map<string, Float64Array[]>();
  const durations: number[] = [];
  for (const runId of runIds.slice(-RUNS)) {
    for (const { set, path } of placeSamples(await store.samplesOf(runId, experiment))) {
      const key = JSON.stringify(path);
      const runs = samples.get(key) ?? [];
      samples.set(key, runs);
      runs.push(Float64Array.from(set.values));
    }
    for (const { task, kind, stage, success, durationMs } of await store.stagesOf(runId)) {
      const isRun = task === experiment && kind === 'experiment' && stage === 'run';
      if (isRun && success && durationMs > 0) durations.push(durationMs / 1000);
    }
  }
  return { samples, ...(durations.length > 0 && { seconds: median(durations) }) };
}
