import type { Command, Executor } from '../../executors/core/executor.ts';
import { type StageNight, stagePlaces } from '../../experiment/app/stage-command.ts';
import {
  readData,
  readStatusFile,
  readTaskResults,
  requireSamples,
} from '../../experiment/app/stage-results.ts';
import { valuesOf } from '../../formats/core/data-values.ts';
import type { Format } from '../../formats/core/format.ts';
import type { SampleSet, SeriesValue } from '../../formats/core/sample.ts';
import { sampleValues } from '../../formats/core/sample-data.ts';
import type { Task } from '../../home/core/home.ts';
import { readStatus } from '../../home/core/status.ts';
import { planPoints } from '../../home/core/sweep/plan-points.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';
import { type PointSamples, poolSamples } from '../../matrix/core/planned-test.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { RunResults } from './measured-side.ts';
import { makePointFolders } from './run-script.ts';

export interface ResultsEffects {
  readonly disk: Disk;
  readonly executor: Executor;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}

interface RunPlace {
  readonly night: StageNight;
  readonly task: Task;
  /** The analysis of an experiment that brings one. */
  readonly analyze: Command | undefined;
}

/** The results of an experiment on one commit, read as a night reads them: by its analysis, or by a format. */
export function experimentResults(place: RunPlace, effects: ResultsEffects): RunResults {
  const { night, task } = place;
  const { output } = stagePlaces(night, task, 'run');
  const { disk } = effects;
  return {
    async clear() {
      await disk.remove(output);
      await disk.makeDir(output);
      await makePointFolders(pointsOf(task), output, disk);
    },
    async read() {
      await requireStatus(task, output, disk);
      const values = place.analyze
        ? await analysed(place, place.analyze, effects)
        : sampleValues(task.name, await samplesIn(task, output, effects));
      return values.filter((value) => !isDetail(value));
    },
  };
}

function pointsOf({ implementation }: Task) {
  const matrix = implementation.type === 'commands' ? implementation.matrix : undefined;
  return matrix ? planPoints(matrix) : [];
}

async function samplesIn(task: Task, output: string, effects: ResultsEffects): Promise<readonly SampleSet[]> {
  const read = async (folder: string) =>
    requireSamples(task, await readTaskResults(task, folder, effects)).samples;
  const points = pointsOf(task);
  if (points.length === 0) return read(output);
  const found: PointSamples[] = [];
  for (const { test, folder } of points) found.push({ test, samples: await read(joinPath(output, folder)) });
  return poolSamples(found);
}

async function analysed(
  { night, task }: RunPlace,
  command: Command,
  { disk, executor, signal }: ResultsEffects,
): Promise<readonly SeriesValue[]> {
  const { output, data } = stagePlaces(night, task, 'analyze');
  await disk.makeDir(data);
  await disk.remove(output);
  await disk.makeDir(output);
  const { exit } = await executor.start(command, signal).wait();
  const isFine = exit.type === 'code' && exit.code === 0;
  // Scripts speak by their status.json, as in a night.
  if (!isFine && (task.implementation.type !== 'scripts' || exit.type !== 'code'))
    throw noValue(`its analysis ended with ${exit.type === 'code' ? `exit code ${exit.code}` : exit.type}`);
  await requireStatus(task, output, disk);
  const own = await readData(output, task, disk);
  if (own === undefined) throw noValue('its analysis left no data.json');
  return valuesOf(task.name, own).values;
}

async function requireStatus({ implementation }: Task, folder: string, disk: Disk): Promise<void> {
  const file = await readStatusFile(folder, disk);
  if (file.state === 'missing' && implementation.type === 'commands') return;
  const { success, message } = readStatus(file, folder);
  if (!success) throw noValue(message);
}

function noValue(message: string): NightmarkError {
  return new NightmarkError('BISECT_NO_VALUE', message);
}
