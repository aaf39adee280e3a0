import type { BriefRun, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';

/** Older runs are reached by their id. */
export const MOST_RUNS_KNOWN = 5_000;

/** Runs that bring values of experiments, newest first; one that still runs is not among them. */
export async function valueRuns(
  store: Store,
  query: { readonly limit?: number; readonly before?: number } = {},
): Promise<readonly BriefRun[]> {
  const { limit = MOST_RUNS_KNOWN, before } = query;
  const all = await store.latestRuns({ limit, isBrief: true, ...(before !== undefined && { before }) });
  return all.filter(({ kind, state }) => (kind === 'night' || kind === 'import') && state !== 'running');
}

/** Names of the machines of runs, by their id. */
export async function machineNames(
  runs: readonly Pick<Run, 'machineId'>[],
  store: Store,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { machineId } of runs) {
    if (machineId === undefined || names.has(machineId)) continue;
    names.set(machineId, (await store.machine(machineId))?.name ?? machineId);
  }
  return names;
}
