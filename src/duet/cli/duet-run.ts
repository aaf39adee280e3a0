import { createHash } from 'node:crypto';
import { declarePlace, firstPlaceOption } from '../../executors/cli/place-options.ts';
import type { Executor } from '../../executors/core/executor.ts';
import { localMachine } from '../../home/adapters/machine/local-machine.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import { fileLocks } from '../../platform/adapters/file-locks.ts';
import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
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
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type DuetRunOutcome, type DuetRunRequest, runDuets } from '../app/run-duets.ts';
import type { DuetRunEffects, DuetRunEvent } from '../app/run-effects.ts';
import { readDuetFile } from '../config/read-duet-file.ts';
import type { DuetSuite, PlannedRun } from '../core/duet.ts';
import { checkFilter, planRuns } from '../core/plan-runs.ts';
import type { MakeSandboxes } from '../core/sandbox.ts';
import { runElsewhere } from './run-elsewhere.ts';
import { outcomeJson, outcomeText, runReporter, summaryLines } from './run-report.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<file...>', 'duet.yml files, run one after another into one folder')
      .option('-o, --outdir <dir>', 'folder of the results (default: results.<date>-<time>)')
      .option('-f, --force', 'run into a folder that has results: artifacts stay, results are replaced')
      .option('-d, --docker <command>', 'engine of the containers, e.g. podman; overrides docker_command')
      .option('-v, --verbose', 'show what the commands print')
      .option('--filter <name...>', 'only these duets; end the list with --')
      .option('--seed <number>', 'seed of the plan; overrides that of the files')
      .option('--dry-run', 'show the plan and run nothing')
      .option('--resume', 'complete the run in the folder: only what is missing is run')
      .option('--json', 'print the outcome, or the plan, as JSON')
      .addHelpText(
        'after',
        '\nExit codes: 0 all fine, 1 a file was refused, 4 some runs failed or reached their timeout, 130 interrupted.',
      );
    declarePlace(parser);
  },

  async run(files, options, context) {
    if (firstPlaceOption(options) !== undefined && !flag(options, 'dryRun')) {
      const exitCode = await runElsewhere(options, context);
      if (exitCode !== undefined) return exitCode;
    }
    const filter = Array.isArray(options['filter']) ? (options['filter'] as readonly string[]) : [];
    const seed = parseSeed(textOption(options, 'seed'));
    const planned = await planFiles(files, { filter, seed }, context);
    const { plans, refused } = planned;
    const asJson = flag(options, 'json');
    if (flag(options, 'dryRun')) {
      showPlan(planned, { context, json: asJson });
      return refused.length > 0 ? EXIT.error : EXIT.fine;
    }
    if (plans.every(({ runs }) => runs.length === 0)) {
      if (refused.length > 0) return EXIT.error;
      throw new NightmarkError('DUET_EMPTY_PLAN', 'There is nothing to run: the plan has no runs.', {
        hint: 'Set duet_repetitions, syncduet_repetitions or sequential_repetitions to 1 or more.',
      });
    }

    const reporter = runReporter(context);
    try {
      const effects = await duetRunEffects(context, (event) => reporter.show(event));
      const outcome = await runDuets(toRequest(planned, { filter, seed, options }, context), effects);
      reporter.end();
      for (const line of summaryLines(outcome)) reporter.log(line);
      const all = [...refused, ...outcome.refused];
      context.stdout.write(asJson ? outcomeJson(outcome, all) : outcomeText(outcome));
      return exitCode(outcome, all);
    } finally {
      reporter.end();
    }
  },
};

export default command;

interface Chosen {
  readonly filter: readonly string[];
  readonly seed: number | undefined;
  readonly options: Options;
}

function toRequest(
  { plans }: FilePlans,
  { filter, seed, options }: Chosen,
  context: CliContext,
): DuetRunRequest {
  const { cwd } = context;
  const resume = flag(options, 'resume');
  const dir = textOption(options, 'outdir');
  if (resume && dir === undefined) {
    throw new NightmarkError('CLI_INVALID_OPTION', '--resume needs to know which folder.', {
      hint: 'Name it with -o, e.g. -o results.20260105-030700.',
    });
  }
  const engine = textOption(options, 'docker');
  return {
    dir: resolvePath(cwd, dir ?? defaultFolder(context)),
    force: flag(options, 'force'),
    resume,
    files: plans.map((plan) => ({ ...plan, config: createHash('sha256').update(plan.text).digest('hex') })),
    filter,
    ...(seed !== undefined && { seed }),
    // A path is meant from here, not from wherever it is called.
    ...(engine !== undefined && { engine: engine.includes('/') ? resolvePath(cwd, engine) : engine }),
    verbose: flag(options, 'verbose'),
  };
}

function defaultFolder({ clock }: CliContext): string {
  const { year, month, day, hour, minute, second } = clock.wall(clock.now());
  const [date, time] = [
    [year, month, day],
    [hour, minute, second],
  ].map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''));
  return `results.${date}-${time}`;
}

function exitCode({ files, isInterrupted }: DuetRunOutcome, refused: readonly string[]): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  if (refused.length > 0) return EXIT.error;
  const isFine = files.every(({ records }) => records.every(({ outcome }) => outcome === 'done'));
  return isFine ? EXIT.fine : EXIT.someFailed;
}

function parseSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `--seed "${text}" is not a whole number from 0 to 2^53 - 1.`,
  );
}

/** One duet.yml with what is to be run of it. */
interface FilePlan {
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

interface FilePlans {
  readonly plans: readonly FilePlan[];
  /** Files that cannot be run; their problems have been printed. */
  readonly refused: readonly string[];
}

/** Reads duet.yml files and plans their runs. The problems of a bad file are printed with their lines; the others are planned. */
async function planFiles(
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
  // An unknown name may be in a file that could not be read: that file has been reported already.
  if (refused.length === 0)
    checkFilter(
      filter,
      plans.map(({ suite }) => suite),
    );
  return { plans, refused };
}

/** Prints what would be run, in the order of execution: one list of all files as JSON, or lines for people. */
function showPlan(
  planned: FilePlans,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): void {
  const { plans } = planned;
  context.stdout.write(json ? toJson(planned) : plans.map(toText).join(''));
}

/** `order` is null for one side alone, `pair` for both; the file is named only where several were given. */
function toJson({ plans, refused }: FilePlans): string {
  const areSeveral = plans.length + refused.length > 1;
  const entries = plans.flatMap(({ file, runs }) =>
    runs.map((run) => {
      const { type, benchmark, runid } = run;
      const sides = run.type === 'seqn' ? { order: null, pair: run.pair } : { order: run.order, pair: null };
      return JSON.stringify({ ...(areSeveral ? { file } : {}), type, benchmark, runid, ...sides });
    }),
  );
  return entries.length === 0 ? '[]\n' : `[\n${entries.map((entry) => `  ${entry}`).join(',\n')}\n]\n`;
}

function toText({ file, suite, seed, runs }: FilePlan): string {
  const left = suite.benchmarks.length - new Set(runs.map(({ benchmark }) => benchmark)).size;
  const rest = left === 0 ? '' : `, ${left} of ${suite.benchmarks.length} duets left out`;
  const width = String(runs.length).length;
  const lines = runs.map((run, index) => `  ${String(index + 1).padStart(width)}  ${toLine(run)}\n`);
  return `${visible(file)}: ${visible(suite.name)}, seed ${seed}, ${runs.length} runs${rest}\n${lines.join('')}`;
}

function toLine(run: PlannedRun): string {
  const sides = run.type === 'seqn' ? run.pair : run.order;
  return `${run.type.padEnd(8)}  ${sides.padEnd(2)}  ${visible(run.benchmark)} ${run.runid}`;
}

/** Puts the adapters of a duet run together. */
async function duetRunEffects(
  context: CliContext,
  report: (event: DuetRunEvent) => void,
): Promise<DuetRunEffects> {
  const { disk, clock, signal, env, cwd, version, hostName, processId, randomSeed } = context;
  const executor = await loadAdapter<Executor>('executors', 'process');
  const tools = { executor, env };
  return {
    disk,
    clock,
    executor,
    sandboxes: {
      process: (await loadAdapter<MakeSandboxes>('sandboxes', 'process'))(tools),
      container: (await loadAdapter<MakeSandboxes>('sandboxes', 'container'))(tools),
    },
    locks: fileLocks,
    machine: localMachine(),
    telemetry: await loadAll<TelemetrySource>('telemetry'),
    signal,
    cwd,
    env,
    version,
    holder: { pid: processId, host: hostName },
    randomSeed,
    report,
  };
}
