import { valuesOf } from '../../formats/core/data-values.ts';
import type { Task } from '../../home/core/home.ts';
import type { StageResult } from '../../home/core/run.ts';
import { failure, type Status } from '../../home/core/status.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import {
  type ExactJson,
  type ExactObject,
  parseExactJson,
  writeExactJson,
} from '../../platform/core/text/exact-json.ts';
import { parseNightLabel } from '../../platform/core/text/times.ts';
import type { Night } from './night.ts';

/** A data file is a tree of numbers, read into memory by every old script: beyond this it is raw data. */
const MAX_DATA_BYTES = 256 * 1024 * 1024;
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

/** The data.json that an analysis left in its folder; undefined where there is none. */
export async function readData(folder: string, { name }: Task, disk: Disk): Promise<ExactObject | undefined> {
  const within = { maxBytes: MAX_DATA_BYTES, within: folder };
  const text = await disk.readText(joinPath(folder, 'data.json'), within);
  return text === undefined ? undefined : parseData(text, name);
}

/** Where the numbers of this night go. */
export function dataFile({ layout, run }: Night, task: Task): string {
  return joinPath(layout.data(task.name), `data_${run.label}.json`);
}

function parseData(text: string, name: string): ExactObject {
  let data: ExactJson;
  try {
    data = parseExactJson(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : String(error);
    throw new NightmarkError('RUN_DATA_INVALID', `data.json produced by ${name} fails to parse: ${why}`);
  }
  if (data instanceof Map) return data;
  throw new NightmarkError('RUN_DATA_INVALID', `data.json produced by ${name} is not a JSON object`);
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
