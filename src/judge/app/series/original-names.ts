import { placeSamples } from '../../../formats/core/sample-data.ts';
import type { Store } from '../../../home/core/store.ts';

/** How the results of a run named the series that were renamed, by the path of the series as JSON. */
export async function originalNames(
  store: Pick<Store, 'samplesOf'>,
  runId: string | undefined,
  experiment: string,
): Promise<ReadonlyMap<string, string>> {
  if (runId === undefined) return new Map();
  const placed = placeSamples(await store.samplesOf(runId, experiment));
  return new Map(
    placed.flatMap(({ set, path }) =>
      set.original === undefined ? [] : [[JSON.stringify(path), set.original] as const],
    ),
  );
}
