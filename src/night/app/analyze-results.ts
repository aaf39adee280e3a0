import { absentNotes } from '../../executors/core/measures.ts';
import { commandSamples } from '../../experiment/app/command-measures.ts';
import {
  concernsOneStage,
  parseData,
  readData,
  readTaskResults,
  requireSamples,
} from '../../experiment/app/stage-results.ts';
import type { ResultsReading } from '../../formats/app/read-results.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { samplesToData, sampleValues } from '../../formats/core/sample-data.ts';
import { dataFileValues } from '../../home/app/result-files.ts';
import type { Task } from '../../home/core/home.ts';
import type { StageResult } from '../../home/core/run.ts';
import { failure, type Status, success } from '../../home/core/status.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import {
  type ExactJson,
  type ExactObject,
  parseExactJson,
  writeExactJson,
} from '../../platform/core/text/exact-json.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { parseNightLabel } from '../../platform/core/text/times.ts';
import type { Night } from './night.ts';
import { judgePoints, readPoints } from './run-points.ts';

const SUMMARY_LINES = 20;

/** The analysis of an experiment that only names a command: reads its results with a format, and saves them. */
export async function analyzeInline(night: Night, task: Task): Promise<Status> {
  const matrix = task.implementation.type === 'commands' ? task.implementation.matrix : undefined;
  let format = '';
  const absent = new Set<string>();
  const read = async (folder: string) => {
    const found = await readFolder(night, task, folder);
    format = found.format;
    for (const note of found.absent) absent.add(note);
    return found.samples;
  };
  const { samples, unread } = matrix
    ? await readPoints(night, { task, matrix }, read)
    : { samples: await read(joinPath(night.raw.dir, task.name)), unread: [] };
  await night.effects.disk.writeText(night.files.samples(task.name), JSON.stringify({ format, samples }));
  // Numbers of a data file keep their text: what JSON has no number for is null in it, as in a script's.
  await saveData(night, task, parseData(pythonJson(samplesToData(samples)), task.name), samples);
  const status = success([...absent].join(' '));
  return matrix ? judgePoints(night, { task, matrix }, { status, unread }) : status;
}

interface FolderReading extends ResultsReading {
  /** What was wanted and is not there, one sentence each. */
  readonly absent: readonly string[];
}

/** The results of a run, and what was measured of its command. */
async function readFolder(night: Night, task: Task, folder: string): Promise<FolderReading> {
  const { samples, absent } = await commandSamples(task, folder, night.effects.disk);
  const notes = absentNotes(absent);
  try {
    const results = await readResultsIn(night, task, folder);
    return { ...results, samples: [...results.samples, ...samples], absent: notes };
  } catch (error) {
    // Who names no results may want none but the measures.
    if (samples.length === 0 || hasResultsRule(task) || !concernsOneStage(error)) throw error;
    const unread = `Only its command is measured: ${messageOf(error)}`;
    return { format: 'measures', samples, failed: [], skipped: [], absent: [...notes, unread] };
  }
}

function hasResultsRule({ implementation }: Task): boolean {
  if (implementation.type !== 'commands') return false;
  const { path, format, mapping } = implementation.results;
  return path !== undefined || format !== undefined || Object.keys(mapping).length > 0;
}

async function readResultsIn(night: Night, task: Task, folder: string): Promise<ResultsReading> {
  const commits = night.recorder.commits(task.name);
  const reading = await readTaskResults(task, folder, night.effects, { commits });
  const { failed } = reading;
  for (const reason of failed.slice(0, 5)) night.recorder.warn(`${task.name}: ${reason}`);
  if (failed.length > 5)
    night.recorder.warn(`${task.name}: ${failed.length - 5} more results could not be read`);
  return requireSamples(task, reading);
}

/** The summary of an experiment that brings none: its newest numbers. */
export async function summarizeInline(night: Night, task: Task, output: string): Promise<Status> {
  const { disk } = night.effects;
  const text = await disk.readText(joinPath(night.layout.data(task.name), `data_${night.run.label}.json`));
  const { values } = valuesOf(task.name, parseExactJson(text ?? '{}'));
  const shown = values.filter(({ path }) => path[0] !== 'detailed');
  const units = new Map(await readUnits(night, task));
  const lines = shown
    .slice(0, SUMMARY_LINES)
    .map(
      ({ path, value }) =>
        `${path.join(' / ')}: ${plainly(formatNumber(value, units.get(path.join('\0')) ?? ''))}`,
    );
  if (shown.length > SUMMARY_LINES) lines.push(`... and ${shown.length - SUMMARY_LINES} more`);
  const summary = { title: task.title ?? task.name, value: `${lines.join('\n')}\n` };
  await disk.writeText(joinPath(output, 'summary.json'), pythonJson(summary));
  return success();
}

async function readUnits(night: Night, task: Task): Promise<readonly [string, string][]> {
  const text = await night.effects.disk.readText(night.files.samples(task.name));
  if (text === undefined) return [];
  const { samples } = JSON.parse(text) as { samples: Parameters<typeof sampleValues>[1] };
  return sampleValues(task.name, samples).map(({ path, unit }) => [path.join('\0'), unit ?? '']);
}

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
async function saveData(
  night: Night,
  task: Task,
  own: ExactObject,
  samples: readonly SampleSet[] = [],
): Promise<void> {
  const { disk, store } = night.effects;
  const data = merged(night, task, own, night.recorder.result(task, 'run'));
  await disk.writeText(dataFile(night, task), writeExactJson(data), { staging: night.layout.staging });

  const commits = night.recorder.commits(task.name);
  const { values, leftOut } = dataFileValues(task.name, data, { samples, traces: { commits } });
  for (const note of leftOut) night.recorder.warn(`${task.name}: ${note}`);
  const { id: runId, startedAt: at } = night.run;
  await night.recorder.index(async () => {
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
  const commits = night.recorder.commits(task.name);
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
