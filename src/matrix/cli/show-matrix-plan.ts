import type { CliContext } from '../../platform/cli/command.ts';
import { joinPath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { inOrderOf, isWanted } from '../app/run-matrix.ts';
import { readRecorded } from '../app/run-recorded.ts';
import { parseSettingsText } from '../config/settings-text.ts';
import type { PlannedMatrix } from './plan-matrix.ts';

/** What a run would do: folder and command of each test, in the order in which they would be started. */
export async function showMatrixPlan(
  { tests, settings, definition }: PlannedMatrix,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): Promise<void> {
  const { disk, stdout } = context;
  const { resultsDir, mode } = settings;
  const names = tests.map(({ experiment }) => experiment);
  const recorded = await readRecorded(resultsDir, names, { disk, parseSettings: parseSettingsText });
  const todo = inOrderOf(
    settings,
    tests.filter((test) => isWanted(test, mode, recorded)),
  );
  const items = todo.map(({ experiment, settings: own, path, command, problem }) => ({
    experiment,
    settings: own,
    ...(problem === undefined
      ? {
          folder:
            recorded.find({ experiment, settings: own })?.folder ?? recorded.nextFolder(experiment, path),
          command,
        }
      : { problem }),
  }));
  const kept = tests.length - todo.length;
  if (json) {
    const { order, seed, jobs } = settings;
    const facts = { file: definition.file, results: resultsDir, order, seed, jobs };
    stdout.write(
      `${JSON.stringify({ ...facts, total: tests.length, recorded: kept, tests: items }, null, 2)}\n`,
    );
    return;
  }
  for (const item of items) {
    stdout.write(
      'folder' in item
        ? `Results: ${visible(joinPath(resultsDir, item.folder))}\nCommand: ${visible(item.command)}\n`
        : `FAILED: ${visible(item.experiment)}: ${visible(item.problem)}\n`,
    );
  }
  stdout.write(`DRY RUN: ${todo.length} of ${tests.length} tests would run, ${kept} would not\n`);
}
