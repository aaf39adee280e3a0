import type { Outcome, OutcomeQuery, Store } from '../../../home/core/store.ts';

/** Reads about a whole run that documents of one experiment share, and how many results of each are kept. */
const CACHED_READS = {
  run: 16,
  latestRuns: 2,
  countRuns: 1,
  trialsOf: 4,
  trialDigest: 2,
  stagesOf: 4,
  machine: 16,
  absences: 1,
  pointsOf: 1,
} as const satisfies Partial<Record<keyof Store, number>>;

/**
 * A store for one publication: the last reads are answered from memory. A thousand experiments read the thousand trials of the
 * newest run a thousand times, and all documents of a site should show the same state anyway. Results are large: few are
 * kept.
 */
export function cachedStore(store: Store): Store {
  const remembered = Object.entries(CACHED_READS).map(([name, most]) => {
    const read = store[name as keyof typeof CACHED_READS] as Read;
    return [name, cachedRead(read, most)] as const;
  });
  return { ...store, ...Object.fromEntries(remembered) };
}

type Read = (...query: unknown[]) => Promise<unknown>;

function cachedRead(read: Read, most: number): Read {
  const results = new Map<string, Promise<unknown>>();
  return (...query) => {
    const key = JSON.stringify(query);
    const result = results.get(key) ?? read(...query);
    results.delete(key); // moves to the end
    results.set(key, result);
    for (const oldest of results.keys()) {
      if (results.size <= most) break;
      results.delete(oldest);
    }
    return result;
  };
}

type RunOutcome = Pick<Outcome, 'runId' | 'at' | 'state' | 'machineId' | 'commits'>;
type ReadOutcomes = (query: OutcomeQuery) => Promise<readonly RunOutcome[]>;

/** So many experiments are read one by one: reading all of them at once costs about as much. */
const FEW_EXPERIMENTS = 8;
/** With more runs, outcomes are read experiment by experiment. */
const MOST_RUNS = 20_000;

/**
 * Outcomes of one experiment after the other. The store holds trials run by run: to seek those of a thousand
 * experiments in a thousand runs takes much longer than to go through all of them once.
 */
export function cachedOutcomes(store: Store): ReadOutcomes {
  let reads = 0;
  let all: Promise<AllOutcomes> | undefined;
  return async (query) => {
    if (++reads <= FEW_EXPERIMENTS || query.from !== undefined || query.to !== undefined)
      return store.outcomes(query);
    all ??= readAll(store);
    const { isWhole, outcomes, byTask } = await all;
    if (!isWhole) return store.outcomes(query);
    return (byTask.get(query.experiment) ?? [])
      .map((number) => outcomes[number] as RunOutcome)
      .slice(-query.limit);
  };
}

interface AllOutcomes {
  readonly isWhole: boolean;
  /** One for all trials of a run with the same outcome. */
  readonly outcomes: readonly RunOutcome[];
  /** Numbers of them, oldest first. */
  readonly byTask: ReadonlyMap<string, readonly number[]>;
}

async function readAll(store: Store): Promise<AllOutcomes> {
  const outcomes: RunOutcome[] = [];
  const byTask = new Map<string, number[]>();
  const runs = await store.latestRuns({ limit: MOST_RUNS, isBrief: true });
  if (runs.length === MOST_RUNS) return { isWhole: false, outcomes, byTask };
  for (const { id, startedAt, machineId } of runs.toReversed()) {
    for (const { state, commits, tasks } of await store.trialGroups(id)) {
      const machine = machineId === undefined ? {} : { machineId };
      const number = outcomes.push({ runId: id, at: startedAt, state, ...machine, commits }) - 1;
      for (const task of tasks) {
        const known = byTask.get(task);
        if (known) known.push(number);
        else byTask.set(task, [number]);
      }
    }
  }
  return { isWhole: true, outcomes, byTask };
}
