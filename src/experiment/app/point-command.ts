import type { Command } from '../../executors/core/executor.ts';
import type { Task } from '../../home/core/home.ts';
import type { MatrixExperiment } from '../../home/core/matrix-definition.ts';
import { type MatrixPoint, type PointPlaces, pointCommand } from '../../home/core/sweep/plan-points.ts';
import { LOG_FILE } from '../../home/core/sweep/plan-tests.ts';
import { settingVariables } from '../../matrix/core/planned-test.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type StageNight, stagePlaces } from './stage-command.ts';

/** A matrix in a night: its experiment, and the command of the run stage whose place its points take. */
export interface PointsWork {
  readonly task: Task;
  readonly matrix: MatrixExperiment;
  readonly template: string;
  readonly command: Command;
}

/** Undefined where the experiment has no matrix. */
export function pointsWork(task: Task, command: Command | undefined): PointsWork | undefined {
  const { implementation } = task;
  if (implementation.type !== 'commands' || !implementation.matrix || !command) return undefined;
  return { task, matrix: implementation.matrix, template: implementation.commands.run ?? '', command };
}

/** The command of the run stage at one point, with its own folder. */
export function pointStageCommand(
  night: StageNight,
  { task, template, command }: PointsWork,
  { point, dir }: { readonly point: MatrixPoint; readonly dir: string },
): Command {
  const { data, args } = stagePlaces(night, task, 'run');
  const places: PointPlaces = {
    out: dir,
    data,
    config: args[0] ?? '',
    raw: args[1] ?? '',
    home: night.home.dir,
    seed: String(night.run.seed ?? 0),
  };
  const filled = pointCommand(template, point, places);
  // The definition was checked for all points when it was read.
  const line = filled.state === 'filled' ? filled.text : template;
  return {
    ...command,
    argv: ['sh', '-c', line],
    env: { ...command.env, ...settingVariables(point.test), NIGHTMARK_OUTPUT_DIR: dir },
    logFile: joinPath(dir, LOG_FILE),
    stdoutFile: joinPath(dir, 'stdout.txt'),
  };
}
