import type { MatrixDefinition, PlannedTest } from '../../home/core/matrix-definition.ts';
import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { type CliContext, flag, type Options } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { readRecorded } from '../app/run/recorded-tests.ts';
import { isWanted, orderTests } from '../app/run/run-matrix.ts';
import { parseSettingsText, readMatrixFile } from '../config/read-matrix-file.ts';
import { parseFilters, passesFilters } from '../core/filters.ts';
import { selectExperiments, unknownExperiment } from '../core/select-experiments.ts';
import { type RunSettings, runSettings } from './run-options.ts';

export interface PlannedMatrix {
  readonly definition: MatrixDefinition;
  readonly settings: RunSettings;
  readonly tests: readonly PlannedTest[];
  /** The text of the file. */
  readonly text: string;
  /** With --exit-count: the unknown name that ends the plan. */
  readonly stop?: NightmarkError;
}

/** Reads the file and plans its tests; problems go to stderr. */
export async function planMatrix(
  file: string,
  options: Options,
  context: CliContext,
): Promise<PlannedMatrix | undefined> {
  const { cwd, stderr } = context;
  const read = { cwd, hasCommaLists: flag(options, 'compatLists') };
  const reading = await readMatrixFile(resolvePath(cwd, file), read, context);
  for (const problem of reading.problems) stderr.write(describeProblem(problem, cwd));
  if (reading.state === 'unusable') return undefined;
  const { definition, text } = reading;
  const settings = runSettings(definition, options, context);
  const { experiments, unknown } = selectExperiments(definition, settings.names);
  const stop = unknown === undefined ? undefined : unknownExperiment(unknown, definition);
  // The original tool runs what comes before an unknown name; --exit-count does as well.
  if (stop && !flag(options, 'exitCount')) throw stop;
  const filters = parseFilters(settings.filter);
  const plan = planTests(definition, experiments);
  if (plan.repeated > 0)
    stderr.write(
      `warning: ${plainly(counted(plan.repeated, 'test'))} with the same settings as another: planned once\n`,
    );
  const tests = plan.tests.filter(({ settings: own }) => passesFilters(own, filters));
  if (tests.length === 0 && !stop) throw nothingToRun(definition, plan.tests.length);
  return { definition, settings, tests, text, ...(stop && { stop }) };
}

function nothingToRun({ file }: MatrixDefinition, planned: number): NightmarkError {
  return new NightmarkError('MATRIX_NOTHING_TO_RUN', `No test of ${file} is to be run.`, {
    hint:
      planned === 0
        ? 'Every experiment is disabled (its name begins with "_"), or every combination is excluded.'
        : `None of its ${planned} tests passes --filter.`,
  });
}

/** What a run would do: folder and command of each test, in the order of execution. */
export async function showMatrixPlan(
  { tests, settings, definition }: PlannedMatrix,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): Promise<void> {
  const { disk, stdout } = context;
  const { resultsDir, mode } = settings;
  const names = tests.map(({ experiment }) => experiment);
  const recorded = await readRecorded(resultsDir, names, { disk, parseSettings: parseSettingsText });
  const todo = orderTests(
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
