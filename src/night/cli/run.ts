import { confirmNews } from '../../bisect/cli/confirm-changes.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/index/ensure-index.ts';
import { readHome } from '../../home/config/read-home.ts';
import { isRegression } from '../../home/core/changes/is-open.ts';
import type { Home } from '../../home/core/home.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import {
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { isNews, tellBroken, tellNight } from '../../publish/cli/notify/tell-night.ts';
import { publishNight } from '../../publish/cli/site/publish-night.ts';
import type { NightOutcome } from '../app/conclude-night.ts';
import { planNight } from '../app/plan-night.ts';
import { runNight } from '../app/run-night.ts';
import { describeOutcome, describePlan } from './describe-outcome.ts';
import { nightEffects } from './night-effects.ts';
import { makeReporter } from './reporters.ts';

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
      .option('--resume', 'complete the night that was interrupted')
      .option('--progress <kind>', 'auto, live, lines, boxes (as the original dashboard) or none', 'auto')
      .option('--no-publish', 'do not publish, whatever the definition says')
      .option('--fail-on-regression', 'exit code 3 when the judge found or confirmed a change for the worse')
      .option('--json', 'print the outcome as JSON')
      .addHelpText(
        'after',
        '\nExit codes: 0 all succeeded, 1 error, 3 with --fail-on-regression, 4 some experiments or subsystems failed, 130 interrupted.',
      );
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
    try {
      const request = {
        home,
        options: chosen,
        resume: flag(options, 'resume'),
        ...(seed !== undefined && { seed }),
      };
      const outcome = await runNight(request, effects);
      reporter.end();
      if (asJson) context.stdout.write(`${JSON.stringify(outcome)}\n`);
      else if (options['progress'] !== 'boxes')
        context.stdout.write(describeOutcome(outcome, home.dir, context));
      await confirmNews(outcome.changes?.news ?? [], { home, store: effects.store }, context);
      if (options['publish'] !== false) await publishNight(home, { isGood: !hasFailed(outcome) }, context);
      await tellNight(home, outcome.run.id, { store: effects.store, context });
      return exitCodeOf(outcome, flag(options, 'failOnRegression'));
    } catch (error) {
      if (options['publish'] !== false && isNews(error, context))
        await publishNight(home, { isGood: false }, context);
      await tellBroken(home, error, { store: effects.store, context });
      throw error;
    } finally {
      reporter.end();
      effects.store.close();
    }
  },
};

export default command;

/** A failure comes first: what failed could not be judged. */
function exitCodeOf({ trials, changes }: NightOutcome, failsOnRegression: boolean): ExitCode {
  if (hasFailed({ trials })) return EXIT.someFailed;
  const isWorse = changes?.news.some(isRegression) ?? false;
  return failsOnRegression && isWorse ? EXIT.regression : EXIT.fine;
}

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
  throw new NightmarkError('CLI_INVALID_OPTION', `--seed "${text}" is no whole number from 0 to 4294967295.`);
}
