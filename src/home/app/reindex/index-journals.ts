import type { SampleSet } from '../../../formats/core/sample.ts';
import { baseName, dirName, joinPath } from '../../../platform/core/path.ts';
import { runFiles } from '../../core/layout.ts';
import { filesIn, foldersIn, inGroups, readWhole } from './files.ts';
import type { Progress, ReindexEffects } from './progress.ts';
import { type JournalReading, readJournal } from './read-journal.ts';
import { readSamples } from './read-samples.ts';

/** A night of 1,000 experiments writes about 3 MB; long messages may make it more. */
const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;
const MAX_SAMPLES_BYTES = 256 * 1024 * 1024;

/** Every run that Nightmark itself has done: its journal, and the raw samples beside it. */
export async function indexJournals(dir: string, progress: Progress, effects: ReindexEffects): Promise<void> {
  const { disk, store } = effects;
  const ids = await foldersIn(dir, disk, progress);
  await inGroups(store, ids, async (id) => {
    const { journal } = runFiles(progress.home, id);
    const reading = await progress.attempt(journal, async () =>
      readJournal(id, await readWhole(dirName(journal), baseName(journal), disk, MAX_JOURNAL_BYTES)),
    );
    if (!reading) return;
    await saveReading(reading, effects);
    progress.labels.set(reading.run.label, { id, startedAt: reading.run.startedAt });
    progress.count('journals');
    await indexSamples(reading, progress, effects);
  });
}

async function saveReading({ machine, run, trials, stages }: JournalReading, { store }: ReindexEffects) {
  if (machine) await store.saveMachine(machine);
  await store.saveRun(run);
  await store.saveTrials(trials);
  await store.saveStages(run.id, stages);
}

async function indexSamples(
  { run }: JournalReading,
  progress: Progress,
  effects: ReindexEffects,
): Promise<void> {
  const dir = dirName(runFiles(progress.home, run.id).samples('any'));
  for (const name of await filesIn(dir, effects.disk, progress)) {
    if (!name.endsWith('.json')) continue;
    const task = name.slice(0, -'.json'.length);
    const samples: readonly SampleSet[] | undefined = await progress.attempt(joinPath(dir, name), async () =>
      readSamples(await readWhole(dir, name, effects.disk, MAX_SAMPLES_BYTES)),
    );
    if (!samples) continue;
    await effects.store.saveSamples(run.id, task, samples);
    progress.count('sampleFiles');
    const values = effects.sampleValues?.(task, samples) ?? [];
    await effects.store.saveValues({ runId: run.id, task, at: run.startedAt, values });
  }
}
