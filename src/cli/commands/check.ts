import { checkHome, type HomeCheck } from '../../config/check-home.ts';
import type { Problem } from '../../core/model/home.ts';
import { isInside, resolvePath } from '../../core/path.ts';
import { explain } from '../check/explain-key.ts';
import { type CommandModule, EXIT, type ExitCode, flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home to check; default: this folder')
      .option('--experiments <dir>', 'where implementations of experiments are looked for first')
      .option('--subsystems <dir>', 'where implementations of subsystems are looked for first')
      .option(
        '--explain <key>',
        'say what a key of the definition means; with a home: what it is there, and why',
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
    const check = await checkAt(dir, options, context);
    return report(dir, check, { context, json: flag(options, 'json') });
  },
};

export default command;

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
    for (const problem of problems) context.stdout.write(describe(problem, context.cwd));
    const tasks = reading?.home.tasks ?? [];
    const experiments = tasks.filter(({ kind }) => kind === 'experiment').length;
    const seen = reading
      ? `; ${count(experiments, 'experiment')}, ${count(tasks.length - experiments, 'subsystem')}`
      : '';
    context.stdout.write(`${count(errors, 'error')}, ${count(warnings, 'warning')}${seen}\n`);
  }
  return errors > 0 ? EXIT.error : EXIT.fine;
}

function describe({ severity, file, line, column, message, hint }: Problem, cwd: string): string {
  const place = line === undefined ? nearPath(file, cwd) : `${nearPath(file, cwd)}:${line}:${column ?? 1}`;
  const advice = hint === undefined ? '' : `    ${oneLine(hint)}\n`;
  return `${place}: ${severity}: ${oneLine(message)}\n${advice}`;
}

/** A name with a newline or a control character must not break the line or the terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function nearPath(file: string, cwd: string): string {
  const near = file !== cwd && isInside(file, cwd) ? file.slice(cwd === '/' ? 1 : cwd.length + 1) : file;
  return oneLine(near);
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
