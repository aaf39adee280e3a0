import { valuesOf } from '../../../formats/core/data-values.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import { type ExactObject, parseExactJson } from '../../../platform/core/text/exact-json.ts';
import { parsePythonTimedelta } from '../../../platform/core/text/times.ts';
import type { Trial } from '../../core/run.ts';
import { filesIn, foldersIn, inGroups, readWhole } from './files.ts';
import type { Progress, ReindexEffects } from './progress.ts';
import { runOfLabel } from './run-of-label.ts';

/** A tree of 10,000 numbers has about 1 MB; parsed, text of this size still fits into the memory of a small machine. */
const MAX_DATA_BYTES = 32 * 1024 * 1024;

/** Every number of every data file as a value of a series, and a run for those that Nightmark did not measure. */
export async function indexDataFiles(
  dir: string,
  progress: Progress,
  effects: ReindexEffects,
): Promise<void> {
  const { disk, store } = effects;
  for (const experiment of await foldersIn(dir, disk, progress)) {
    const folder = joinPath(dir, experiment);
    await inGroups(store, await filesIn(folder, disk, progress), async (name) => {
      const file = joinPath(folder, name);
      const found = await progress.attempt(file, async () => {
        const run = runOfLabel(labelOf(name), progress, effects);
        const data = parseExactJson(await readWhole(folder, name, disk, MAX_DATA_BYTES));
        if (!(data instanceof Map)) throw new Error('It holds no JSON object.');
        return { ...run, data, ...valuesOf(experiment, data) };
      });
      if (!found) return;
      if (found.state === 'imported') await saveImported(experiment, found, progress, effects);
      await store.saveValues({
        runId: found.id,
        task: experiment,
        at: found.startedAt,
        values: found.values,
      });
      progress.count('dataFiles');
      progress.count('values', found.values.length);
      for (const reason of found.leftOut) progress.note(file, `Left out: ${reason}.`);
    });
  }
}

function labelOf(name: string): string {
  const label = /^data_(.+)\.json$/.exec(name)?.[1];
  if (label === undefined) throw new Error('Its name is not data_<label>.json.');
  return label;
}

interface ImportedFile {
  readonly id: string;
  readonly label: string;
  readonly startedAt: number;
  readonly data: ExactObject;
}

/** A run is an example only while each of its files says so, whichever is read first. */
async function saveImported(
  experiment: string,
  { id, label, startedAt, data }: ImportedFile,
  { home }: Progress,
  { store }: ReindexEffects,
): Promise<void> {
  const known = await store.run(id);
  const origin = data.get('example') === true && known?.origin !== 'imported' ? 'example' : 'imported';
  if (known?.origin !== origin) {
    await store.saveRun({
      id,
      kind: 'night',
      project: baseName(home),
      label,
      state: 'finished',
      startedAt,
      order: [],
      origin,
      warnings: [],
    });
  }
  await store.saveTrials([importedTrial(id, experiment, data)]);
}

function importedTrial(runId: string, task: string, data: ExactObject): Trial {
  const delta = data.get('time_delta');
  const durationMs = typeof delta === 'string' ? parsePythonTimedelta(delta) : undefined;
  const hash = data.get('tvm_hash');
  return {
    runId,
    task,
    kind: 'experiment',
    state: 'succeeded',
    message: '',
    ...(durationMs === undefined ? {} : { durationMs }),
    commits: typeof hash === 'string' && hash !== '' ? { tvm: hash } : {},
  };
}
