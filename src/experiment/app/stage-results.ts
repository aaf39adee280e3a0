import { type ResultsReading, readResults } from '../../formats/app/read-results.ts';
import type { Format, ResultsRule } from '../../formats/core/format.ts';
import { type RunTraces, stableSamples } from '../../formats/core/stable-names.ts';
import type { Task } from '../../home/core/home.ts';
import type { StatusFile } from '../../home/core/status.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type ExactJson, type ExactObject, parseExactJson } from '../../platform/core/text/exact-json.ts';

const MAX_RESULT_BYTES = 256 * 1024 * 1024;

/**
 * Reads what the run of an inline experiment left in its folder, with the format that its definition names. Names are those
 * of every run: without what `traces` says is of this one alone, and without its folder.
 */
export async function readTaskResults(
  task: Task,
  folder: string,
  { disk, formats }: { readonly disk: Disk; readonly formats: readonly Format[] },
  traces: RunTraces = {},
): Promise<ResultsReading> {
  const rule = ruleOf(task);
  const origin = rule.path ?? STDOUT;
  const within = { maxBytes: MAX_RESULT_BYTES, within: folder };
  const text = await disk.readText(joinPath(folder, origin), within);
  if (text === undefined) {
    throw new NightmarkError(
      'RUN_NO_RESULTS',
      `The run of ${task.name} left no ${origin} in its output folder.`,
      {
        hint: 'Write it to {out} (also $NIGHTMARK_OUTPUT_DIR), or leave out results.path to read what is printed.',
      },
    );
  }
  const reading = readResults({ text, rule, origin }, formats);
  const folders = [{ path: folder, name: '{out}' }, ...(traces.folders ?? [])];
  return { ...reading, samples: stableSamples(reading.samples, { ...traces, folders }) };
}

/** Refuses results of which nothing could be read. */
export function requireSamples(task: Task, reading: ResultsReading): ResultsReading {
  if (reading.samples.length > 0) return reading;
  throw new NightmarkError(
    'RUN_NO_RESULTS',
    `${ruleOf(task).path ?? STDOUT} of ${task.name} was read as ${reading.format} but holds no result.`,
  );
}

/** Where the standard output of the run goes. */
const STDOUT = 'stdout.txt';

function ruleOf({ implementation }: Task): ResultsRule {
  return implementation.type === 'commands' ? implementation.results : { mapping: {} };
}

/** A data file is a tree of numbers, read into memory by every old script: beyond this it is raw data. */
const MAX_DATA_BYTES = 256 * 1024 * 1024;

/** The data.json that an analysis left in its folder; undefined where there is none. */
export async function readData(folder: string, { name }: Task, disk: Disk): Promise<ExactObject | undefined> {
  const within = { maxBytes: MAX_DATA_BYTES, within: folder };
  const text = await disk.readText(joinPath(folder, 'data.json'), within);
  return text === undefined ? undefined : parseData(text, name);
}

export function parseData(text: string, name: string): ExactObject {
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

/** A status is a few lines; a larger file is not one. */
const MAX_STATUS_BYTES = 1024 * 1024;

/** The status.json of a stage. */
export async function readStatusFile(folder: string, disk: Disk): Promise<StatusFile> {
  try {
    const path = joinPath(folder, 'status.json');
    const text = await disk.readText(path, { maxBytes: MAX_STATUS_BYTES, within: folder });
    return text === undefined ? { state: 'missing' } : { state: 'text', text };
  } catch (error) {
    if (!concernsOneStage(error)) throw error;
    return { state: 'unusable', reason: messageOf(error) };
  }
}

/** Failures that concern one stage only. A full disk or an interrupt concerns the whole night. */
export function concernsOneStage(error: unknown): boolean {
  return error instanceof NightmarkError && error.code !== 'DISK_FULL' && error.code !== 'RUN_INTERRUPTED';
}
