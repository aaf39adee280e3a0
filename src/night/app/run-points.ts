import type { Executed, Exit } from '../../executors/core/executor.ts';
import { isElsewhere } from '../../executors/core/place.ts';
import { withMeasures } from '../../experiment/app/command-measures.ts';
import { type PointsWork, pointStageCommand } from '../../experiment/app/point-command.ts';
import { stagePlaces } from '../../experiment/app/stage-command.ts';
import { concernsOneStage } from '../../experiment/app/stage-results.ts';
import type { SampleSet } from '../../formats/core/sample.ts';
import { lastLines } from '../../home/app/result-files.ts';
import type { Task } from '../../home/core/home.ts';
import type { PointResult } from '../../home/core/journal.ts';
import type { MatrixExperiment } from '../../home/core/matrix-definition.ts';
import { failure, type Status } from '../../home/core/status.ts';
import { type MatrixPoint, planPoints } from '../../home/core/sweep/plan-points.ts';
import { EXIT_CODE_FILE, LOG_FILE, SETTINGS_FILE } from '../../home/core/sweep/plan-tests.ts';
import { createEstimate } from '../../matrix/core/estimate-remaining.ts';
import { type PointSamples, poolSamples } from '../../matrix/core/planned-test.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import type { Night } from './night.ts';
import { refuseWhenInterrupted } from './run-stage.ts';
import { taskExecutor } from './task-executor.ts';

/**
 * Runs the points of a matrix, each in its own folder: one after the other here, many at once on a cluster. A point that the journal records as succeeded
 * is not run again. Fails as a whole only when no point succeeded; the analysis reports the others.
 */
export async function runPoints(night: Night, work: PointsWork): Promise<Executed> {
  const { recorder, effects } = night;
  const points = planPoints(work.matrix);
  const estimate = createEstimate();
  const waiting = points.filter(({ folder }) => !isDone(recorder.point(work.task, folder)));
  for (const _ of waiting) estimate.expect(work.task.name);
  let done = points.length - waiting.length;
  let recorded = Promise.resolve();
  const record = async (result: PointResult) => {
    estimate.finish(work.task.name, result.durationMs);
    await recorder.finishPoint(result, [joinPath(outputOf(night, work.task), result.folder)]);
    done++;
    const remainingMs = estimate.remainingMs(atOnce(work.task));
    const progress = { done, total: points.length, ...(remainingMs !== undefined && { remainingMs }) };
    effects.report({ type: 'point-finished', result, ...progress });
  };
  await runAtOnce(waiting, atOnce(work.task), async (point) => {
    const result = await runPoint(night, work, point);
    recorded = recorded.then(() => record(result));
    await recorded;
  });
  return conclude(night, work, points);
}

/** Two points at once disturb each other on one machine; a cluster has nodes and a queue for them. */
function atOnce({ at }: Task): number {
  return at && isElsewhere(at) ? 100 : 1;
}

/** Ends with the first failure, when what was begun has ended. */
async function runAtOnce<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    try {
      while (next < items.length) await run(items[next++] as T); // below the length
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}

/** Removes what points left that are to be run again; a resumed night keeps the others. */
export async function preparePoints(night: Night, task: Task, output: string): Promise<void> {
  const { disk } = night.effects;
  await disk.makeDir(output);
  for (const { name } of await disk.list(output))
    if (!isDone(night.recorder.point(task, name))) await disk.remove(joinPath(output, name));
}

function isDone(result: PointResult | undefined): boolean {
  return result?.exitCode === 0;
}

async function runPoint(night: Night, work: PointsWork, point: MatrixPoint): Promise<PointResult> {
  const { disk, clock, signal } = night.effects;
  const { task } = work;
  const dir = joinPath(outputOf(night, task), point.folder);
  const command = withMeasures(pointStageCommand(night, work, { point, dir }), task, dir);
  const executor = await taskExecutor(task, night.effects);
  for (let attempts = 1; ; attempts++) {
    await disk.remove(dir);
    await disk.makeDir(dir);
    await disk.writeText(joinPath(dir, SETTINGS_FILE), settingsYaml(point.test.settings, point.test.texts));
    refuseWhenInterrupted(signal.aborted);
    const from = clock.micros();
    const { exit, host } = await executor.start(command, signal).wait();
    refuseWhenInterrupted(signal.aborted);
    const exitCode = codeOf(exit);
    if (exitCode !== 0 && attempts <= task.retries) continue;
    await disk.writeText(joinPath(dir, EXIT_CODE_FILE), `${exitCode}\n`);
    const durationMs = (clock.micros() - from) / 1000;
    const message = exitCode === 0 ? undefined : reasonOf(exit);
    const { folder } = point;
    const details = { ...(host !== undefined && { host }), ...(message && { message }) };
    return { task: task.name, folder, exitCode, durationMs, attempts, ...details };
  }
}

/** The log of the stage lists how each point ended, with the end of the log of the first that failed. */
async function conclude(
  night: Night,
  { task, command }: PointsWork,
  points: readonly MatrixPoint[],
): Promise<Executed> {
  const { disk } = night.effects;
  const results = points.map(({ folder }) => night.recorder.point(task, folder));
  const lines = results.flatMap((result) => (result ? [describePoint(result)] : []));
  const failed = results.find((result) => result !== undefined && !isDone(result));
  if (failed) {
    const log = joinPath(outputOf(night, task), failed.folder, LOG_FILE);
    lines.push(`The end of the log of ${failed.folder}:`, await lastLines(disk, log, 20));
  }
  const text = `${lines.join('\n')}\n`;
  await disk.writeText(command.logFile, text);
  const code = results.some(isDone) ? 0 : 1;
  return { exit: { type: 'code', code }, logBytes: text.length };
}

function describePoint({ folder, exitCode, durationMs, message }: PointResult): string {
  const how = exitCode === 0 ? 'succeeded' : `failed, ${message ?? `exit code ${exitCode}`}`;
  return `${folder}: ${how} (${plainly(formatDuration(durationMs))})`;
}

function outputOf(night: Night, task: Task): string {
  return stagePlaces(night, task, 'run').output;
}

function codeOf(exit: Exit): number {
  if (exit.type === 'code') return exit.code;
  return exit.type === 'timeout' ? 124 : exit.type === 'not-started' ? 127 : 128;
}

function reasonOf(exit: Exit): string {
  switch (exit.type) {
    case 'code':
      return `exit code ${exit.code}`;
    case 'signal':
      return exit.reason === undefined ? exit.signal : `${exit.signal}: ${exit.reason}`;
    case 'timeout':
      return `not ended within ${exit.afterMs / 1000} s, ended with all its processes`;
    case 'not-started':
      return `could not be started: ${exit.reason}`;
    case 'cancelled':
      return 'cancelled';
  }
}

/** Reads one file of results; throws where there is none or it cannot be used. */
export type ReadSamples = (folder: string) => Promise<readonly SampleSet[]>;

/** Samples of all points that succeeded. A point without usable results loses its own ones only, and is named. */
export async function readPoints(
  night: Night,
  { task, matrix }: { readonly task: Task; readonly matrix: MatrixExperiment },
  read: ReadSamples,
): Promise<{ readonly samples: readonly SampleSet[]; readonly unread: readonly string[] }> {
  const points: PointSamples[] = [];
  const unread: string[] = [];
  for (const { test, folder } of planPoints(matrix)) {
    if (!isDone(night.recorder.point(task, folder))) continue;
    try {
      points.push({ test, samples: await read(joinPath(night.raw.dir, task.name, folder)) });
    } catch (error) {
      if (!concernsOneStage(error)) throw error;
      unread.push(`${folder}: ${messageOf(error)}`);
    }
  }
  if (points.length > 0) return { samples: poolSamples(points), unread };
  throw new NightmarkError(
    'RUN_NO_RESULTS',
    `No point of ${task.name} left usable results: ${unread[0] ?? ''}`,
  );
}

/** What succeeded is kept; that others did not succeed is a failure all the same. */
export function judgePoints(
  night: Night,
  { task, matrix }: { readonly task: Task; readonly matrix: MatrixExperiment },
  { status, unread }: { readonly status: Status; readonly unread: readonly string[] },
): Status {
  const points = planPoints(matrix);
  const failed = points.flatMap(({ folder }) => {
    const result = night.recorder.point(task, folder);
    return isDone(result) ? [] : [`${folder}: ${result?.message ?? 'not run'}`];
  });
  const bad = [...failed, ...unread];
  if (!status.success || bad.length === 0) return status;
  const shown = bad.slice(0, 5).join('; ');
  const more = bad.length > 5 ? `; and ${bad.length - 5} more` : '';
  return failure(`${bad.length} of ${points.length} points failed, the others are kept: ${shown}${more}`);
}
