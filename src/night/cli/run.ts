import { homeArgument } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Home } from '../../home/core/home.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import { ALLOW_UNKNOWN, gateExit } from '../../judge/cli/changes/gate-exit.ts';
import { gateOf } from '../../judge/core/changes/gate.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { NightOutcome } from '../app/conclude-night.ts';
import { planNight } from '../app/plan-night.ts';
import { runNight } from '../app/run-night.ts';
import { describeOutcome, describePlan } from './describe-night.ts';
import { nightEffects } from './night-adapters.ts';
import { makeReporter } from './night-reporters.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'folder with nightmark.yml, config.json or config/config.json', '.')
      .option('--experiments <dir>', 'where the experiments are (default: in the home, then beside it)')
      .option('--subsystems <dir>', 'where the subsystems are (default: in the home, then beside it)')
      .option('--no-build', 'use the sources as they were built last')
      .option('--only <names>', 'only these experiments and subsystems, separated by commas')
      .option('--skip <names>', 'all but these')
      .option('--seed <number>', 'seed of the order, also NIGHTMARK_SEED of the scripts')
      .option('--dry-run', 'print what would be run, and run nothing')
      .option('--resume', 'complete the interrupted night')
      .option('--progress <kind>', 'auto, live, lines, boxes (as the original dashboard) or none', 'auto')
      .option('--no-publish', 'do not publish, whatever the definition says')
      .option(
        '--fail-on-regression',
        'exit code 3 when a regression was found or confirmed, 2 when that could not be judged',
      )
      .option(...ALLOW_UNKNOWN)
      .option('--json', 'print the outcome as JSON')
      .addHelpText('after', HELP);
  },

  async run([path = '.'], options, context) {
    const home = await openHome(path, options, context);
    const seed = parseSeed(textOption(options, 'seed'));
    const chosen: RunOptions = {
      build: options['build'] !== false,
      ...names(options, 'only'),
      ...names(options, 'skip'),
    };
    const asJson = flag(options, 'json');
    if (flag(options, 'dryRun')) {
      const plan = planNight(home, chosen, seed ?? home.seed ?? context.randomSeed());
      context.stdout.write(asJson ? `${JSON.stringify(plan)}\n` : describePlan(plan));
      return EXIT.fine;
    }

    const reporter = makeReporter(textOption(options, 'progress') ?? 'auto', context);
    await ensureIndex(home.dir, context);
    const effects = await nightEffects(home.dir, context, (event) => reporter.show(event));
    const followUp = { store: effects.store, context, publishes: options['publish'] !== false };
    try {
      const request = {
        home,
        options: chosen,
        resume: flag(options, 'resume'),
        ...(seed !== undefined && { seed }),
      };
      const outcome = await runNight(request, effects);
      reporter.end();
      const gate = flag(options, 'failOnRegression') ? gateOf(outcome.changes ?? NOT_JUDGED) : undefined;
      if (asJson) context.stdout.write(`${JSON.stringify({ ...outcome, ...(gate && { gate }) })}\n`);
      else if (options['progress'] !== 'boxes')
        context.stdout.write(describeOutcome(outcome, home.dir, context));
      if (needsFollowUp(home, outcome)) {
        const { followUpNight } = await import('./follow-up-night.ts');
        await followUpNight(home, outcome, followUp);
      }
      // A failure comes first: what failed was not judged.
      if (hasFailed(outcome)) return EXIT.someFailed;
      return gate ? gateExit(gate, path, { options, context }) : EXIT.fine;
    } catch (error) {
      if (needsFollowUp(home)) {
        const { followUpBrokenNight } = await import('./follow-up-night.ts');
        await followUpBrokenNight(home, error, followUp);
      }
      throw error;
    } finally {
      reporter.end();
      effects.store.close();
    }
  },
};

export default command;

const HELP = `
Exit codes: 0 all succeeded, 1 error, 4 some experiments or subsystems failed, 130 interrupted; with --fail-on-regression also
3 a regression, and 2 when a changed series has no known direction (nightmark directions) or there is no history yet.`;

/** Publishing, notifying and confirming are a third of the program: loaded only where there is something to do. */
function needsFollowUp({ publish = [], notify = [] }: Home, outcome?: NightOutcome): boolean {
  return publish.length + notify.length + (outcome?.changes?.news.length ?? 0) > 0;
}

const NOT_JUDGED = 'The values of this night could not be judged.';

function hasFailed({ trials }: Pick<NightOutcome, 'trials'>): boolean {
  return trials.some(({ state }) => state === 'failed');
}

async function openHome(path: string, options: Options, context: CliContext): Promise<Home> {
  const { disk, userHome, env, cwd, stderr } = context;
  const experimentsDir = textOption(options, 'experiments');
  const subsystemsDir = textOption(options, 'subsystems');
  const { home, problems } = await readHome(
    await homeArgument(path, context),
    {
      ...(experimentsDir !== undefined && { experimentsDir: resolvePath(cwd, experimentsDir) }),
      ...(subsystemsDir !== undefined && { subsystemsDir: resolvePath(cwd, subsystemsDir) }),
    },
    { disk, userHome, env },
  );
  const count = problems.filter(({ severity }) => severity === 'error').length;
  if (count > 0)
    stderr.write(`The definition of ${home.dir} has ${count} problems; "nightmark check" shows them.\n`);
  return home;
}

function names(options: Options, option: 'only' | 'skip'): Partial<RunOptions> {
  const text = textOption(options, option);
  if (text === undefined) return {};
  const list = text.split(',').map((name) => name.trim());
  if (list.some((name) => name === '')) {
    throw new NightmarkError('CLI_INVALID_OPTION', `--${option} "${text}" has an empty name.`, {
      hint: `For example: --${option} sort,parse`,
    });
  }
  return { [option]: list };
}

function parseSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed < 2 ** 32) return seed;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `invalid --seed "${text}": expected a whole number from 0 to 4294967295.`,
  );
}
