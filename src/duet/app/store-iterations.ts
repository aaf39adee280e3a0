import type { SampleSet } from '../../formats/core/sample.ts';
import { sampleValues } from '../../formats/core/sample-data.ts';
import { newRunId } from '../../home/app/run-id.ts';
import { runFiles } from '../../home/core/home-layout.ts';
import type { JournalEvent } from '../../home/core/journal.ts';
import type { Machine, Run, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { baseName } from '../../platform/core/path.ts';
import { nightLabel } from '../../platform/core/text/times.ts';
import type { TableFile } from '../core/table/iteration-table.ts';

interface StoreEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly store: Store;
  randomSeed(): number;
}

/** Collects the times of a table, to be saved as one run of a home. */
interface IterationStorage {
  add(file: TableFile): void;
  /** The id of the run, and the tasks that it has times of. */
  save(
    home: string,
    effects: StoreEffects,
  ): Promise<{ readonly id: string; readonly tasks: readonly string[] }>;
}

/** Samples by task, then by way of running and side. */
type Tasks = Map<string, Map<string, SampleSet & { readonly values: number[] }>>;

export function collectSamples(): IterationStorage {
  const tasks: Tasks = new Map();
  let firstMs = Infinity;
  let lastMs = -Infinity;
  return {
    add({ name: { suite, benchmark, type, pair }, reading }) {
      const task = `${suite}.${benchmark}`;
      const sets = tasks.get(task) ?? new Map();
      tasks.set(task, sets);
      const set = sets.get(`${type} ${pair}`) ?? emptySet(benchmark, { side: pair, type });
      sets.set(`${type} ${pair}`, set);
      for (const time of reading.times) set.values.push(time / 1e9);
      const originMs = Number(reading.originNs / 1_000_000n);
      for (const start of reading.starts ?? []) firstMs = Math.min(firstMs, originMs + start / 1e6);
      for (const end of reading.ends ?? []) lastMs = Math.max(lastMs, originMs + end / 1e6);
    },
    save: (home, effects) =>
      save({ home, tasks, startedAt: Math.floor(firstMs), endedAt: Math.ceil(lastMs) }, effects),
  };
}

interface Collected {
  readonly home: string;
  readonly tasks: Tasks;
  /** Infinite where no iteration has a timestamp. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Files first: they are the truth, and `reindex` reads the run back from them. */
async function save(
  { home, tasks, ...times }: Collected,
  effects: StoreEffects,
): Promise<{ readonly id: string; readonly tasks: readonly string[] }> {
  const { disk, clock, store, randomSeed } = effects;
  const now = clock.now();
  const startedAt = Number.isFinite(times.startedAt) ? times.startedAt : now;
  const endedAt = Number.isFinite(times.endedAt) ? times.endedAt : now;
  const id = newRunId(startedAt, randomSeed());
  const run: Run = {
    id,
    kind: 'duet',
    project: baseName(home),
    // No label of a night: data files of one would be taken for those of this run.
    label: `duet-${nightLabel(clock.wall(startedAt))}`,
    state: 'finished',
    startedAt,
    endedAt,
    order: [...tasks.keys()],
    origin: 'imported',
    warnings: [],
  };
  const trials = run.order.map((task) => trialOf(id, task));
  const files = runFiles(home, id);
  const samples = [...tasks].map(([task, sets]) => [task, [...sets.values()]] as const);
  for (const [task, sets] of samples)
    await disk.writeText(files.samples(task), JSON.stringify({ samples: sets }));
  const events: readonly JournalEvent[] = [
    { type: 'begin', run, machine: UNKNOWN_MACHINE, options: { build: false } },
    { type: 'end', run, trials },
  ];
  await disk.writeText(files.journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''), {
    durable: true,
  });
  await store.together(async () => {
    await store.saveRun(run);
    await store.saveTrials(trials);
    for (const [task, sets] of samples) {
      await store.saveSamples(id, task, sets);
      const values = sampleValues(task, sets);
      await store.saveValues({ runId: id, task, at: startedAt, values });
    }
  });
  return { id, tasks: run.order };
}

/** The artifacts describe the machine as free text; that is not a fingerprint. */
const UNKNOWN_MACHINE: Machine = { id: 'unknown', name: 'unknown', facts: {} };

function emptySet(
  benchmark: string,
  settings: SampleSet['settings'],
): SampleSet & { readonly values: number[] } {
  return { benchmark: [benchmark], metric: 'time', unit: 's', better: 'lower', values: [], settings };
}

function trialOf(runId: string, task: string): Trial {
  return { runId, task, kind: 'experiment', state: 'succeeded', message: '', commits: {} };
}
