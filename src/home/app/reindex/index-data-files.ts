import { baseName, joinPath } from '../../../platform/core/path.ts';
import { type ExactObject, parseExactJson } from '../../../platform/core/text/exact-json.ts';
import { parseNightLabel, parsePythonTimedelta } from '../../../platform/core/text/times.ts';
import type { Trial } from '../../core/run.ts';
import { dataFileValues } from '../result-files.ts';
import {
  filesIn,
  foldersIn,
  inGroups,
  type LabelledRun,
  type ReindexEffects,
  type ReindexProgress,
  readWhole,
} from './reindex-progress.ts';

/** A tree of 10,000 numbers has about 1 MB; parsed, text of this size still fits into the memory of a small machine. */
const MAX_DATA_BYTES = 32 * 1024 * 1024;

/** Every number of every data file as a value of a series, and a run for those that Nightmark did not measure. */
export async function indexDataFiles(
  dir: string,
  progress: ReindexProgress,
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
        return { ...run, data, ...dataFileValues(experiment, data) };
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

/** A run is an example only if each of its files is one, whichever is read first. */
async function saveImported(
  experiment: string,
  { id, label, startedAt, data }: ImportedFile,
  { home }: ReindexProgress,
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

const MAX_TELEMETRY_BYTES = 64 * 1024 * 1024;
const KINDS = ['cpu', 'gpu'] as const;

/** The telemetry beside the runs, as points of the run that its label belongs to. */
export async function indexTelemetry(
  dir: string,
  progress: ReindexProgress,
  effects: ReindexEffects,
): Promise<void> {
  const { disk, store, readTelemetry } = effects;
  if (!readTelemetry) return;
  for (const experiment of await foldersIn(dir, disk, progress)) {
    for (const kind of KINDS) {
      const folder = joinPath(dir, experiment, kind);
      await inGroups(store, await filesIn(folder, disk, progress), async (name) => {
        const found = await progress.attempt(joinPath(folder, name), async () => {
          const label = name.startsWith(`${kind}-`) && name.endsWith('.json') ? name.slice(4, -5) : '';
          if (label === '') throw new Error(`Its name is not ${kind}-<label>.json.`);
          const { id, startedAt } = runOfLabel(label, progress, effects);
          if (!(await store.run(id))) throw new Error(`There is no night ${label}.`);
          const text = await readWhole(folder, name, disk, MAX_TELEMETRY_BYTES);
          return { id, columns: readTelemetry(text, { kind, experiment, startedAt }).columns };
        });
        if (!found) return;
        await store.appendPoints(found.id, found.columns);
        progress.count('telemetryFiles');
      });
    }
  }
}

interface RunOfLabel extends LabelledRun {
  readonly state: 'journalled' | 'imported';
  readonly label: string;
}

/** The run that a label in a file name belongs to: one with a journal, else one that is made up from the label alone. */
function runOfLabel(label: string, { labels }: ReindexProgress, { clock }: ReindexEffects): RunOfLabel {
  const journalled = labels.get(label);
  if (journalled) return { state: 'journalled', label, ...journalled };
  const wall = parseNightLabel(label);
  if (!wall) throw new Error(`invalid label of a night: "${label}" (expected month-day-year-hourminute).`);
  const startedAt = clock.fromWall(wall);
  const found = clock.wall(startedAt);
  if (found.year !== wall.year || found.month !== wall.month || found.day !== wall.day) {
    throw new Error(`"${label}" names a day that does not exist.`);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${wall.year}${two(wall.month)}${two(wall.day)}`;
  // "-2" of a second night in one minute goes along, so that each label has its own run.
  const second = /^\d\d-\d\d-\d{4}-\d{4}(-\d+)$/.exec(label)?.[1] ?? '';
  return {
    state: 'imported',
    label,
    id: `${date}-${two(wall.hour)}${two(wall.minute)}00-data${second}`,
    startedAt,
  };
}
