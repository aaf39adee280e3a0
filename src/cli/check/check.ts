import { checkHome, type HomeCheck } from '../../home/config/check-home.ts';
import type { Task } from '../../home/core/home.ts';
import { planPoints } from '../../home/core/sweep/plan-points.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { checkFile, checkTaskPlaces } from './check-file.ts';
import { explain } from './explain-key.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument(
        '[home]',
        'the home to check, or a file: duet.yml, a matrix, a workload, plots, a matbench block; default: this folder',
      )
      .option('--experiments <dir>', 'where implementations of experiments are searched first')
      .option('--subsystems <dir>', 'where implementations of subsystems are searched first')
      .option(
        '--explain <key>',
        'explain a key of the definition; with a home: its value there, and where it comes from',
      )
      .option('--json', 'print JSON');
  },

  async run([home], options, context) {
    const dir = resolvePath(context.cwd, home ?? '.');
    const key = textOption(options, 'explain');
    if (key !== undefined) {
      const check = home === undefined ? undefined : await checkAt(dir, options, context);
      return explain(key, check, { context, json: flag(options, 'json') });
    }
    const isFile = (await context.disk.stat(dir))?.type === 'file';
    if (isFile && !HOME_FILES.has(baseName(dir))) {
      return checkFile(dir, { context, json: flag(options, 'json') });
    }
    const check = await withPlaces(await checkAt(dir, options, context));
    return report(dir, check, { context, json: flag(options, 'json') });
  },
};

export default command;

/** Files that define a home are checked by naming its folder. */
const HOME_FILES = new Set(['nightmark.yml', 'nightmark.yaml', 'config.json']);

function checkAt(dir: string, options: Options, context: CliContext): Promise<HomeCheck> {
  const folder = (name: string) => {
    const path = textOption(options, name);
    return path === undefined ? undefined : resolvePath(context.cwd, path);
  };
  const [experimentsDir, subsystemsDir] = [folder('experiments'), folder('subsystems')];
  return checkHome(
    dir,
    { ...(experimentsDir ? { experimentsDir } : {}), ...(subsystemsDir ? { subsystemsDir } : {}) },
    context,
  );
}

async function withPlaces(check: HomeCheck): Promise<HomeCheck> {
  if (!check.reading || !check.definitions) return check;
  const missing = await checkTaskPlaces(check.definitions.top.file, check.reading.home.tasks);
  return { ...check, problems: [...check.problems, ...missing] };
}

function report(
  dir: string,
  { reading, problems }: HomeCheck,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): ExitCode {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (json) {
    const facts = { home: dir, isUsable: reading !== undefined, errors, warnings, problems };
    context.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else {
    for (const problem of problems) context.stdout.write(describeProblem(problem, context.cwd));
    const tasks = reading?.home.tasks ?? [];
    const experiments = tasks.filter(({ kind }) => kind === 'experiment').length;
    const seen = reading
      ? `; ${count(experiments, 'experiment')}, ${count(tasks.length - experiments, 'subsystem')}`
      : '';
    for (const line of matrixLines(tasks)) context.stdout.write(line);
    context.stdout.write(`${count(errors, 'error')}, ${count(warnings, 'warning')}${seen}\n`);
  }
  return errors > 0 ? EXIT.error : EXIT.fine;
}

/** The number of runs of a matrix is easily misjudged. */
function matrixLines(tasks: readonly Task[]): readonly string[] {
  return tasks.flatMap(({ name, implementation }) => {
    const matrix = implementation.type === 'commands' ? implementation.matrix : undefined;
    if (!matrix) return [];
    const points = planPoints(matrix).map(({ test }) => visible(test.path));
    const shown = points.slice(0, 5).join('  ') + (points.length > 5 ? '  ...' : '');
    return [`${visible(name)}: ${count(points.length, 'point')} of its matrix: ${shown}\n`];
  });
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
