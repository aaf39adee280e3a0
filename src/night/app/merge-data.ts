import { readData } from '../../experiment/app/read-data.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { sampleValues } from '../../formats/core/sample-data.ts';
import type { Task } from '../../home/core/home.ts';
import type { StageResult } from '../../home/core/run.ts';
import { failure, type Status } from '../../home/core/status.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type ExactJson, type ExactObject, writeExactJson } from '../../platform/core/text/exact-json.ts';
import { parseNightLabel } from '../../platform/core/text/times.ts';
import type { Night } from './night.ts';

/** Taken from the run stage; a script cannot override them. */
const RUN_FIELDS = ['start_time', 'end_time', 'time_delta'];

/** Takes the data.json of an experiment's analysis into its history. */
export async function mergeData(night: Night, task: Task, status: Status): Promise<Status> {
  const { disk } = night.effects;
  const own = await readData(joinPath(night.raw.dir, task.name, 'analysis'), task, disk);
  if (own === undefined) return failure(`No data.json file produced by ${task.name}`);
  await saveData(night, task, own);
  return status;
}

/** Writes the numbers of an experiment into its history, and stores them. Of `samples` the units are known. */
export async function saveData(
  night: Night,
  task: Task,
  own: ExactObject,
  samples: readonly SampleSet[] = [],
): Promise<void> {
  const { disk, store } = night.effects;
  const data = merged(night, task, own, night.book.result(task, 'run'));
  await disk.writeText(dataFile(night, task), writeExactJson(data), { staging: night.layout.staging });

  const { values: found, leftOut } = valuesOf(task.name, data);
  for (const note of leftOut) night.book.warn(`${task.name}: ${note}`);
  const medians = sampleValues(task.name, samples);
  const measured = new Set(medians.map(({ path }) => path.join('\0')));
  const values = [...medians, ...found.filter(({ path }) => !measured.has(path.join('\0')))];
  const { id: runId, startedAt: at } = night.run;
  await night.book.index(async () => {
    if (samples.length > 0) await store.saveSamples(runId, task.name, samples);
    await store.saveValues({ runId, task: task.name, at, values });
  });
}

/** Where the numbers of this night go. */
export function dataFile({ layout, run }: Night, task: Task): string {
  return joinPath(layout.data(task.name), `data_${run.label}.json`);
}

/** The order of the keys is that of their first insertion, as the original's. */
function merged(night: Night, task: Task, own: ExactObject, run: StageResult | undefined): ExactObject {
  const data = new Map<string, ExactJson>([['timestamp', timestampOf(night.run.label)]]);
  const commits = night.book.commits(task.name);
  const { tvm = night.tvmHash, ...others } = commits;
  if (tvm !== undefined) data.set('tvm_hash', tvm);
  if (Object.keys(others).length > 0) data.set('sources', new Map(Object.entries(others)));
  for (const [key, value] of own) data.set(key, value);
  for (const field of RUN_FIELDS) {
    const value = run?.extra[field];
    if (typeof value === 'string') data.set(field, value);
  }
  return data;
}

/** Readers parse it, so a second night in one minute has the same one; the file names differ. */
function timestampOf(label: string): string {
  return parseNightLabel(label) ? label.split('-').slice(0, 4).join('-') : label;
}
