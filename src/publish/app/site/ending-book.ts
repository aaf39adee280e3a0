import type { Outcome, OutcomeQuery, Store } from '../../../home/core/store.ts';

type Ending = Pick<Outcome, 'runId' | 'at' | 'state' | 'machineId' | 'commits'>;
type ReadEndings = (query: OutcomeQuery) => Promise<readonly Ending[]>;

/** So many experiments are asked for one by one: reading all of them at once costs about as much. */
const FEW = 8;
/** Of more runs, those that had an experiment are looked for one by one. */
const MOST_RUNS = 20_000;

/**
 * The endings of one experiment after the other. In the store trials lie run by run: to seek those of a thousand
 * experiments in a thousand runs takes much longer than to go through all of them once.
 */
export function endingBook(store: Store): ReadEndings {
  let asked = 0;
  let all: Promise<Endings> | undefined;
  return async (query) => {
    if (++asked <= FEW || query.from !== undefined || query.to !== undefined) return store.outcomes(query);
    all ??= readAll(store);
    const { isWhole, endings, byTask } = await all;
    if (!isWhole) return store.outcomes(query);
    return (byTask.get(query.experiment) ?? [])
      .map((number) => endings[number] as Ending)
      .slice(-query.limit);
  };
}

interface Endings {
  readonly isWhole: boolean;
  /** One for all trials of a run that ended alike. */
  readonly endings: readonly Ending[];
  /** Numbers of them, oldest first. */
  readonly byTask: ReadonlyMap<string, readonly number[]>;
}

async function readAll(store: Store): Promise<Endings> {
  const endings: Ending[] = [];
  const byTask = new Map<string, number[]>();
  const runs = await store.latestRuns({ limit: MOST_RUNS, isBrief: true });
  if (runs.length === MOST_RUNS) return { isWhole: false, endings, byTask };
  for (const { id, startedAt, machineId } of runs.toReversed()) {
    for (const { state, commits, tasks } of await store.trialGroups(id)) {
      const machine = machineId === undefined ? {} : { machineId };
      const number = endings.push({ runId: id, at: startedAt, state, ...machine, commits }) - 1;
      for (const task of tasks) {
        const known = byTask.get(task);
        if (known) known.push(number);
        else byTask.set(task, [number]);
      }
    }
  }
  return { isWhole: true, endings, byTask };
}
