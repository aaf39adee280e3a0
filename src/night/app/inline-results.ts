import { parseData } from '../../experiment/app/read-data.ts';
import { readTaskResults, requireSamples } from '../../experiment/app/read-task-results.ts';
import type { ResultsReading } from '../../formats/app/read-results.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
import { samplesToData, sampleValues } from '../../formats/core/sample-data.ts';
import type { Task } from '../../home/core/home.ts';
import { type Status, success } from '../../home/core/status.ts';
import { joinPath } from '../../platform/core/path.ts';
import { parseExactJson } from '../../platform/core/text/exact-json.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { saveData } from './merge-data.ts';
import type { Night } from './night.ts';
import { judgePoints, readPoints } from './point-results.ts';

const SUMMARY_LINES = 20;

/** The analysis of an experiment that only names a command: reads its results with a format, and saves them. */
export async function analyzeInline(night: Night, task: Task): Promise<Status> {
  const matrix = task.implementation.type === 'commands' ? task.implementation.matrix : undefined;
  let format = '';
  const read = async (folder: string) => {
    const found = await readFolder(night, task, folder);
    format = found.format;
    return found.samples;
  };
  const { samples, unread } = matrix
    ? await readPoints(night, { task, matrix }, read)
    : { samples: await read(joinPath(night.raw.dir, task.name)), unread: [] };
  await night.effects.disk.writeText(night.files.samples(task.name), JSON.stringify({ format, samples }));
  // Numbers of a data file keep their text: what JSON has no number for is null in it, as in a script's.
  await saveData(night, task, parseData(pythonJson(samplesToData(samples)), task.name), samples);
  return matrix ? judgePoints(night, { task, matrix }, { status: success(), unread }) : success();
}

async function readFolder(night: Night, task: Task, folder: string): Promise<ResultsReading> {
  const reading = await readTaskResults(task, folder, night.effects);
  const { failed } = reading;
  for (const reason of failed.slice(0, 5)) night.book.warn(`${task.name}: ${reason}`);
  if (failed.length > 5) night.book.warn(`${task.name}: ${failed.length - 5} more results could not be read`);
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
