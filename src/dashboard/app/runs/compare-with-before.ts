import type { Machine, Run, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { ChangedFact, Fact } from '../../../judge/core/explain/explanation.ts';
import { decidingMachineFacts, machineFacts } from '../../../judge/core/explain/flat-facts.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { type JournalFacts, readJournalFacts } from './journal-facts.ts';
import { commitsOf } from './list-runs.ts';

/** What differs from the previous run of the same kind. */
export interface SinceBefore {
  readonly run: Pick<Run, 'id' | 'label' | 'startedAt'>;
  readonly facts: readonly ChangedFact[];
  /** Facts that are the same. */
  readonly unchanged: number;
  /** Facts that only one of both runs recorded. */
  readonly unknown: number;
  /** Tasks that are new, and those that are gone. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** How long each task took then: what can be expected of those that wait. */
  readonly durations: Readonly<Record<string, number>>;
}

export interface ComparedRun {
  readonly run: Run;
  readonly trials: readonly Trial[];
  readonly journal: JournalFacts;
}

interface Places {
  readonly home: string;
  readonly store: Store;
  readonly disk: Disk;
}

/** Undefined for the first run of its kind. */
export async function compareWithBefore(
  after: ComparedRun,
  places: Places,
): Promise<SinceBefore | undefined> {
  const { home, store, disk } = places;
  const { kind, startedAt: before } = after.run;
  const [run] = await store.latestRuns({ limit: 1, kind, before });
  if (run === undefined) return undefined;
  const trials = await store.trialsOf([run.id]);
  const journal = await readJournalFacts(home, run.id, disk);
  const sides = [await machinesOf({ run, trials, journal }, store), await machinesOf(after, store)] as const;
  // The index keeps the newest description of a machine: only its identifying facts were the same at that time.
  const describe = sides.every(({ isOfRun }) => isOfRun) ? machineFacts : decidingMachineFacts;
  const [old, now] = sides.map(({ machine }) => machine && describe(machine.facts));
  const [earlier, later] = [tasksOf(trials), tasksOf(after.trials)];
  return {
    run: { id: run.id, label: run.label, startedAt: run.startedAt },
    ...changed([...(old ?? []), ...sourceFacts(trials)], [...(now ?? []), ...sourceFacts(after.trials)]),
    added: [...later].filter((task) => !earlier.has(task)),
    removed: [...earlier].filter((task) => !later.has(task)),
    durations: Object.fromEntries(
      trials.flatMap(({ kind, task, durationMs }) =>
        durationMs === undefined ? [] : [[`${kind}/${task}`, durationMs]],
      ),
    ),
  };
}

async function machinesOf(
  { run, journal }: ComparedRun,
  store: Store,
): Promise<{ readonly machine?: Machine; readonly isOfRun: boolean }> {
  if (journal.machine) return { machine: journal.machine, isOfRun: true };
  const machine = run.machineId === undefined ? undefined : await store.machine(run.machineId);
  return { ...(machine && { machine }), isOfRun: false };
}

function sourceFacts(trials: readonly Trial[]): readonly Fact[] {
  return Object.entries(commitsOf(trials)).map(([name, commits]) => {
    return { group: 'source', name, value: commits.toSorted().join(', ') };
  });
}

function tasksOf(trials: readonly Trial[]): ReadonlySet<string> {
  return new Set(trials.filter(({ state }) => state !== 'inactive').map(({ task }) => task));
}

function changed(before: readonly Fact[], after: readonly Fact[]) {
  const keyOf = ({ group, name }: Fact) => `${group} ${name}`;
  const known = new Map(before.map((fact) => [keyOf(fact), fact]));
  const facts: ChangedFact[] = [];
  let [unchanged, unknown] = [0, 0];
  for (const { group, name, unit, value } of after) {
    const old = known.get(`${group} ${name}`);
    known.delete(`${group} ${name}`);
    if (old === undefined) unknown++;
    else if (old.value === value) unchanged++;
    else facts.push({ group, name, ...(unit !== undefined && { unit }), before: old.value, after: value });
  }
  return { facts, unchanged, unknown: unknown + known.size };
}
