import { readData } from '../../experiment/app/read-data.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
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

  const run = night.book.result(task, 'run');
  const data = merged(night, task, own, run);
  await disk.writeText(dataFile(night, task), writeExactJson(data), { staging: night.layout.staging });

  const { values, leftOut } = valuesOf(task.name, data);
  for (const note of leftOut) night.book.warn(`${task.name}: ${note}`);
  await night.book.index(() =>
    night.effects.store.saveValues({ runId: night.run.id, task: task.name, at: night.run.startedAt, values }),
  );
  return status;
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
