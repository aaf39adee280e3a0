import { type ChildProcess, spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath, whyInvalidName } from '../../platform/core/path.ts';
import type { Parameter } from '../core/trial-table.ts';
import { writeStatus } from '../stage-files.ts';
import { runTrials } from '../trials.ts';

/** nightmark time: runs a command over and over into the table that the analyze stage reads. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<command...>', 'a program and its arguments; {NAME} is the value of a parameter')
      .option('-o, --output-dir <dir>', 'folder of the table METHOD-TASK.csv', '.')
      .option('--method <name>', 'what measures', 'command')
      .option('--task <name>', 'what is measured', 'time')
      .option('--dry-runs <n>', 'runs that are not counted, first in each repetition; default 1')
      .option('--runs <n>', 'runs of each repetition; default 5')
      .option('--reps <n>', 'repetitions; default 1')
      .option('--rest-ms <ms>', 'rest between repetitions; default 4000')
      .option('-p, --parameter <name=values>', 'values with commas: each combination is measured', collect)
      .option('--append', 'add to a table that is there')
      .option('--status', 'write status.json beside the table')
      .option('--json', 'print {"success", "message", "table"} alone')
      .addHelpText('after', EXAMPLES);
  },
  async run(args, options, context) {
    const plan = planOf(options, context.cwd);
    const names = Object.keys(plan.parameters);
    const done = await runTrials<undefined>({
      ...plan,
      ...(flag(options, 'json') && { onCombination: () => undefined }),
      trial: (_, ...values) => {
        if (context.signal.aborted) throw interrupted();
        const given = Object.fromEntries(names.map((name, index) => [name, String(values[index])]));
        return timeCommand(filled(args, given), given, context);
      },
      secondsOf: (seconds) => seconds as number,
      signal: context.signal,
    });
    if (flag(options, 'status')) writeStatus(plan.dir, done.success, done.message);
    const table = joinPath(plan.dir, `${plan.method}-${plan.task}.csv`);
    if (flag(options, 'json')) context.stdout.write(`${JSON.stringify({ ...done, table })}\n`);
    if (done.success) return EXIT.fine;
    if (context.signal.aborted) {
      context.stderr.write(`Interrupted: the rows so far are in ${table}.\n`);
      return EXIT.interrupted;
    }
    throw new NightmarkError('KIT_TRIAL_FAILED', `Timing stopped. ${firstLines(done.message)}`, {
      hint: `The rows so far are in ${table}.`,
    });
  },
};

export default command;

const EXAMPLES = `
Examples:
  nightmark time -o "$2" --runs 10 -- sleep 0.1
  nightmark time -o "$2" --method gnu --task sort -p size=1000,10000 -p order=up,down --reps 3 --status -- ./sort.sh {size} {order}

The table has a column for each parameter, then rep, run and time (seconds). Parameters are in the environment of the command too.`;

function collect(value: string, all: readonly string[] = []): readonly string[] {
  return [...all, value];
}

function planOf(options: Options, cwd: string) {
  const [method, task] = ['method', 'task'].map((name) => nameOption(options, name));
  return {
    dir: resolvePath(cwd, textOption(options, 'outputDir') ?? '.'),
    method: method ?? 'command',
    task: task ?? 'time',
    dryRuns: wholeNumber(options, 'dryRuns', 1),
    runs: wholeNumber(options, 'runs', 5),
    reps: wholeNumber(options, 'reps', 1),
    restMs: wholeNumber(options, 'restMs', 4000),
    append: flag(options, 'append'),
    parameters: parametersOf(options['parameter']),
  };
}

function nameOption(options: Options, name: string): string {
  const text = textOption(options, name) ?? '';
  const reason = whyInvalidName(text);
  if (reason === undefined) return text;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `--${name} "${text}" cannot be part of a file name: ${reason}.`,
    {
      hint: 'Say a plain name.',
    },
  );
}

function parametersOf(given: Options[string]): Readonly<Record<string, readonly Parameter[]>> {
  const parameters: Record<string, readonly Parameter[]> = {};
  for (const text of Array.isArray(given) ? (given as readonly string[]) : []) {
    const [, name, values] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || values === undefined || Object.hasOwn(parameters, name)) {
      throw new NightmarkError('CLI_INVALID_OPTION', `--parameter ${text} is not understood.`, {
        hint: 'A name (once) and its values: --parameter size=10,100',
      });
    }
    parameters[name] = values.split(',');
  }
  return parameters;
}

function filled(args: readonly string[], values: Readonly<Record<string, string>>): readonly string[] {
  return args.map((arg) =>
    arg.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    ),
  );
}

/** Without our stack trace, which does not help somebody whose command failed. */
function firstLines(message: string): string {
  return message
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join(' ')
    .replace('NightmarkError: ', '');
}

/** A terminal signals the whole process group on Ctrl-C: we signal a command only after this. */
const HEARING_MS = 200;
/** Time to clean up before SIGKILL. */
const GRACE_MS = 5000;

/**
 * Runs a command; returns the seconds from its start to its end. Its output goes to stderr: stdout is for results. It ends
 * with us, and an interrupted run is not measured.
 */
export function timeCommand(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  context: CliContext,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, {
      cwd: context.cwd,
      env: { ...context.env, ...env },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    const forget = endWith(child, context.signal);
    child.on('error', (cause) => {
      forget();
      reject(
        new NightmarkError('KIT_COMMAND', `${command} cannot be started: ${cause.message}.`, {
          hint: 'Name a program, then its arguments, after "--".',
        }),
      );
    });
    child.on('exit', (code, signal) => {
      const seconds = (performance.now() - start) / 1000;
      forget();
      if (context.signal.aborted) return reject(interrupted());
      if (code === 0) return resolve(seconds);
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      reject(
        new NightmarkError('KIT_COMMAND', `${[command, ...args].join(' ')} ${how}.`, {
          hint: 'What it printed is above.',
        }),
      );
    });
  });
}

/** The error of an interrupted timing. */
export function interrupted(): NightmarkError {
  return new NightmarkError('KIT_INTERRUPTED', 'Timing was interrupted.');
}

/** Forwards our interruption to the command; returns the function that ends that. */
function endWith(child: ChildProcess, signal: CancelSignal): () => void {
  const timers: NodeJS.Timeout[] = [];
  const stop = () => {
    timers.push(
      setTimeout(() => child.kill('SIGTERM'), HEARING_MS),
      setTimeout(() => child.kill('SIGKILL'), HEARING_MS + GRACE_MS),
    );
  };
  signal.addEventListener('abort', stop);
  return () => {
    signal.removeEventListener('abort', stop);
    for (const timer of timers) clearTimeout(timer);
  };
}

/** A count from an option. */
export function wholeNumber(options: Options, name: string, usual: number): number {
  const text = textOption(options, name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  const flagName = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new NightmarkError('CLI_INVALID_OPTION', `--${flagName} ${text} is not a count.`, {
    hint: `Say a whole number: --${flagName} ${usual}.`,
  });
}
