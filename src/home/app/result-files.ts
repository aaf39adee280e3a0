import { type DataValues, valuesOf } from '../../formats/core/data-values.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { sampleValues } from '../../formats/core/sample-data.ts';
import { type RunTraces, stableValues } from '../../formats/core/stable-names.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { ExactJson } from '../../platform/core/text/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { Task } from '../core/home.ts';
import { type HomeLayout, homeLayout } from '../core/home-layout.ts';
import { failure, isTruthy, type Status } from '../core/status.ts';

interface Places {
  readonly layout: HomeLayout;
  readonly disk: Disk;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a JSON object of a home; 'missing' or 'broken' where there is none. */
export async function readObject(
  dir: string,
  name: string,
  disk: Disk,
): Promise<JsonObject | 'missing' | 'broken'> {
  try {
    const text = await disk.readText(joinPath(dir, name), { maxBytes: MAX_BYTES, within: dir });
    if (text === undefined) return 'missing';
    const parsed = JSON.parse(text) as JsonValue;
    return isJsonObject(parsed) ? parsed : 'broken';
  } catch (error) {
    if (error instanceof NightmarkError || error instanceof SyntaxError) return 'broken';
    throw error;
  }
}

/** config.json of a task; empty where it cannot be read: its precheck reports that. */
export async function configOf(task: Task, disk: Disk): Promise<JsonObject> {
  const config = await readObject(task.configDir, 'config.json', disk);
  return typeof config === 'string' ? {} : config;
}

/** How a stage ended, by its status file; undefined when there is none. */
export async function stageStatus(
  { layout, disk }: Places,
  { kind, name }: Pick<Task, 'kind' | 'name'>,
  stage: string,
): Promise<Status | undefined> {
  const status = await readObject(layout.status(kind, name), `${stage}.json`, disk);
  if (status === 'missing') return undefined;
  if (status === 'broken') return failure(`Failed to parse ${stage} stage status`);
  const { success = false, message = '', ...extra } = status;
  return { success: isTruthy(success), message: shownText(message), extra };
}

/** Whether a stage succeeded in the last night. */
export async function hasSucceeded(
  places: Places,
  task: Pick<Task, 'kind' | 'name'>,
  stage: string,
): Promise<boolean> {
  return (await stageStatus(places, task, stage))?.success ?? false;
}

/** Experiments that ran to their numbers in the last night. */
export async function analyzedExperiments(places: Places, tasks: readonly Task[]): Promise<readonly Task[]> {
  const analyzed: Task[] = [];
  for (const task of tasks) {
    if (task.kind !== 'experiment' || task.state !== 'active') continue;
    if (await hasSucceeded(places, task, 'analysis')) analyzed.push(task);
  }
  return analyzed;
}

/** The protocol does not check types: a number as a value is shown as one. */
export function shownText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The summary of an experiment of its last night. */
export type Summary =
  | { readonly state: 'present'; readonly title: string; readonly text: string }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly reason: string };

const MAX_SUMMARY_BYTES = 64 * 1024;

export async function readSummary(home: string, experiment: string, disk: Disk): Promise<Summary> {
  const dir = homeLayout(home).summary(experiment);
  let text: string | undefined;
  try {
    text = await disk.readText(joinPath(dir, 'summary.json'), { maxBytes: MAX_SUMMARY_BYTES, within: dir });
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return { state: 'unusable', reason: error.code };
  }
  if (text === undefined) return { state: 'missing' };
  const parsed = parse(text);
  if (!isJsonObject(parsed)) return { state: 'unusable', reason: 'it is not a JSON object' };
  return { state: 'present', title: shownText(parsed['title']), text: shownText(parsed['value']) };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * The numbers of a data file as values of series, under names without the traces of their run; the medians of `samples`
 * among them have unit and direction.
 */
export function dataFileValues(
  experiment: string,
  data: ExactJson,
  {
    samples = [],
    traces = tracesIn(data),
  }: { readonly samples?: readonly SampleSet[]; readonly traces?: RunTraces } = {},
): DataValues {
  const found = valuesOf(experiment, data);
  const { leftOut } = found;
  const values = stableValues(found.values, traces);
  const medians = sampleValues(experiment, samples);
  const known = new Set(medians.map(({ path }) => JSON.stringify(path)));
  return { values: [...medians, ...values.filter(({ path }) => !known.has(JSON.stringify(path)))], leftOut };
}

/** The commits that a data file names: those of its sources, and that of TVM as of old. */
function tracesIn(data: ExactJson): RunTraces {
  const [tvm, sources] = data instanceof Map ? [data.get('tvm_hash'), data.get('sources')] : [];
  const all = [['tvm', tvm] as const, ...(sources instanceof Map ? sources : [])];
  return {
    commits: Object.fromEntries(all.filter(([, hash]) => typeof hash === 'string')) as Record<string, string>,
  };
}

/** The last lines of a log, for the message of a failure. */
export async function lastLines(disk: Disk, file: string, count: number): Promise<string> {
  const text = (await disk.readText(file)) ?? '';
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
