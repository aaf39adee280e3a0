import { createHash } from 'node:crypto';
import { declarePlace, firstPlaceOption } from '../../executors/cli/place-options.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { type DuetRunOutcome, type DuetRunRequest, runDuets } from '../app/run-duets.ts';
import { outcomeJson, outcomeText, summaryLines } from './describe-run-outcome.ts';
import { type FilePlans, planFiles } from './plan-files.ts';
import { duetRunEffects } from './run-effects.ts';
import { runElsewhere } from './run-elsewhere.ts';
import { runReporter } from './run-reporter.ts';
import { showPlan } from './show-plan.ts';

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
  throw new NightmarkError('CLI_INVALID_OPTION', `--seed "${text}" is no whole number from 0 to 2^53 - 1.`);
}
