import type { MatrixDefinition, PlannedTest } from '../../home/core/matrix-definition.ts';
import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { type CliContext, flag, type Options } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { readMatrixFile } from '../config/read-matrix-file.ts';
import { parseFilters, passesFilters } from '../core/filters.ts';
import { selectExperiments, unknownExperiment } from '../core/select-experiments.ts';
import { type RunSettings, runSettings } from './run-options.ts';

export interface PlannedMatrix {
  readonly definition: MatrixDefinition;
  readonly settings: RunSettings;
  readonly tests: readonly PlannedTest[];
  /** The text of the file. */
  readonly text: string;
  /** Why nothing behind the tests runs, where the original's way was asked for. */
  readonly stop?: NightmarkError;
}

/** Reads the file and plans its tests; what is odd about it is told. */
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
  // The original runs what comes before the name; that is wanted only by those who count as it does.
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
  return new NightmarkError('MATRIX_NOTHING_TO_RUN', `Nothing of ${file} is to be run.`, {
    hint:
      planned === 0
        ? 'Every experiment is switched off ("_" in front), or every combination is excluded.'
        : `--filter leaves none of its ${planned} tests.`,
  });
}
