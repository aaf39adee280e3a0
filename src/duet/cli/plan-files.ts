import type { CliContext } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { readDuetFile } from '../config/read-duet-file.ts';
import type { DuetSuite, PlannedRun } from '../core/duet.ts';
import { checkFilter, planRuns } from '../core/plan-runs.ts';

/** One duet.yml with what is to be run of it. */
export interface FilePlan {
  /** As it was given. */
  readonly file: string;
  /** The same, absolute. */
  readonly path: string;
  /** The content of the file, to be kept with the results. */
  readonly text: string;
  readonly suite: DuetSuite;
  /** That of the option, else of the file, else drawn. */
  readonly seed: number;
  readonly runs: readonly PlannedRun[];
}

export interface FilePlans {
  readonly plans: readonly FilePlan[];
  /** Files that cannot be run; what is wrong with them has been said. */
  readonly refused: readonly string[];
}

/** Reads duet.yml files and plans their runs. A bad file is told with its lines; the others are planned all the same. */
export async function planFiles(
  files: readonly string[],
  { filter, seed }: { readonly filter: readonly string[]; readonly seed?: number | undefined },
  context: CliContext,
): Promise<FilePlans> {
  const plans: FilePlan[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const path = resolvePath(context.cwd, file);
    const reading = await readDuetFile(path, context);
    for (const problem of reading.problems) context.stderr.write(describeProblem(problem, context.cwd));
    if (reading.state === 'unusable') {
      refused.push(file);
      continue;
    }
    const { suite, text } = reading;
    const used = seed ?? suite.seed ?? context.randomSeed();
    plans.push({ file, path, text, suite, seed: used, runs: planRuns(suite, { filter, seed: used }) });
  }
  // A name that is nowhere may be one of a file that could not be read: that file has been named already.
  if (refused.length === 0)
    checkFilter(
      filter,
      plans.map(({ suite }) => suite),
    );
  return { plans, refused };
}
