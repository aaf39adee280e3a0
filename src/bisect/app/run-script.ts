import type { Argv } from '../../duet/app/compare-request.ts';
import type { Command } from '../../executors/core/executor.ts';
import { type PointsWork, pointStageCommand } from '../../experiment/app/point-command.ts';
import type { StageNight } from '../../experiment/app/stage-command.ts';
import { type MatrixPoint, planPoints } from '../../home/core/sweep/plan-points.ts';
import { SETTINGS_FILE } from '../../home/core/sweep/plan-tests.ts';
import { settingVariables } from '../../matrix/core/planned-test.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';

/** The command with what it prints in a file, where results are looked for. The shell replaces itself: no process more. */
export function keepingOutput({ argv, stdoutFile }: Command): Argv {
  const [program = '', ...rest] = argv;
  if (stdoutFile === undefined) return [program, ...rest];
  return ['sh', '-c', 'file=$1; shift; exec "$@" >"$file"', 'sh', stdoutFile, program, ...rest];
}

/** All points of a matrix as one script, one after the other as in a night; the first that fails ends it. */
export function pointsScript(night: StageNight, work: PointsWork, output: string): string {
  const lines = planPoints(work.matrix).map((point) => {
    const dir = joinPath(output, point.folder);
    const { argv, stdoutFile = '' } = pointStageCommand(night, work, { point, dir });
    const own = { ...settingVariables(point.test), NIGHTMARK_OUTPUT_DIR: dir };
    const words = Object.entries(own).map(([name, value]) => shellQuote(`${name}=${value}`));
    const command = ['env', ...words, ...argv.map(shellQuote)].join(' ');
    return `${command} >${shellQuote(stdoutFile)} || exit`;
  });
  return `${lines.join('\n')}\n`;
}

/** The folders of all points, with their settings, as a night makes them. */
export async function makePointFolders(points: readonly MatrixPoint[], output: string, disk: Disk) {
  for (const { test, folder } of points) {
    const dir = joinPath(output, folder);
    await disk.makeDir(dir);
    await disk.writeText(joinPath(dir, SETTINGS_FILE), settingsYaml(test.settings, test.texts));
  }
}
