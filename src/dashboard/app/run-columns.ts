import type { Outcome, Store } from '../../home/core/store.ts';
import { cachedJson } from '../../platform/core/text/json.ts';

/** The runs that histories refer to, by time. Commits and machines are written once and named by their number. */
export interface RunColumns {
  readonly ids: readonly string[];
  readonly times: readonly number[];
  /** How each ended, where it is known. */
  readonly failed: readonly number[];
  /** All that failed in the range; more than in `failed`: only the newest are there. */
  readonly failedCount: number;
  /** Number of the commits of each run; -1: not known. */
  readonly commits: readonly number[];
  readonly commitSets: readonly Outcome['commits'][];
  readonly machines: readonly number[];
  readonly machineNames: readonly string[];
}

export interface RunSources {
  readonly histories: readonly { readonly runIds: readonly string[]; readonly times: readonly number[] }[];
  readonly outcomes: readonly Pick<Outcome, 'runId' | 'state' | 'machineId' | 'commits'>[];
  /** Those of the outcomes that are shown as failures. */
  readonly failed: readonly Pick<Outcome, 'runId' | 'at'>[];
}

export interface RunTable {
  readonly runs: RunColumns;
  readonly placeOf: (runId: string) => number;
  readonly machineName: (id: string) => string;
}

export async function runColumns(
  { histories, outcomes, failed }: RunSources,
  store: Store,
): Promise<RunTable> {
  const at = new Map<string, number>();
  for (const { runIds, times } of histories)
    for (const [place, id] of runIds.entries()) at.set(id, times[place] as number); // columns of one length
  for (const { runId, at: start } of failed) at.set(runId, start);
  const sorted = [...at].sort(([a, from], [b, to]) => from - to || (a < b ? -1 : 1));
  const places = new Map(sorted.map(([id], place) => [id, place]));
  const known = new Map(outcomes.map((outcome) => [outcome.runId, outcome]));
  const commits = numbered<Outcome['commits']>(cachedJson);
  const machines = numbered<string>(String);
  const commitColumn: number[] = [];
  const machineColumn: number[] = [];
  for (const [id] of sorted) {
    const outcome = known.get(id);
    const hasCommits = outcome !== undefined && Object.keys(outcome.commits).length > 0;
    commitColumn.push(hasCommits ? commits.numberOf(outcome.commits) : -1);
    machineColumn.push(outcome?.machineId === undefined ? -1 : machines.numberOf(outcome.machineId));
  }
  const names = await machineNames(outcomes, store);
  const machineName = (id: string) => names.get(id) ?? id;
  return {
    runs: {
      ids: sorted.map(([id]) => id),
      times: sorted.map(([, start]) => start),
      failed: failed.map(({ runId }) => places.get(runId) ?? -1),
      failedCount: outcomes.reduce((count, { state }) => count + (state === 'failed' ? 1 : 0), 0),
      commits: commitColumn,
      commitSets: commits.all,
      machines: machineColumn,
      machineNames: machines.all.map(machineName),
    },
    placeOf: (runId) => places.get(runId) ?? -1,
    machineName,
  };
}

/** Gives equal things the same number. */
function numbered<T>(keyOf: (one: T) => string) {
  const numbers = new Map<string, number>();
  const all: T[] = [];
  const numberOf = (one: T): number => {
    const key = keyOf(one);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, all.length);
    return all.push(one) - 1;
  };
  return { all, numberOf };
}

async function machineNames(
  outcomes: readonly Pick<Outcome, 'machineId'>[],
  store: Store,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { machineId } of outcomes) {
    if (machineId === undefined || names.has(machineId)) continue;
    names.set(machineId, (await store.machine(machineId))?.name ?? machineId);
  }
  return names;
}
