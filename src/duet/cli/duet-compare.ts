import { firstPlaceOption } from '../../executors/cli/place-options.ts';
import { type CommandModule, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { processTimer } from '../adapters/timer/process-timer.ts';
import { configureCompare, readCompareOptions } from './compare-options.ts';
import { joinParameterWords } from './compare-parameters.ts';
import { compareRequests, countersFor } from './compare-requests.ts';
import { noiseWatcher, runComparisons } from './run-comparisons.ts';

const command: CommandModule = {
  arrange: joinParameterWords,
  configure: configureCompare,

  async run(args, options, context) {
    if (firstPlaceOption(options) !== undefined) {
      const { runElsewhere } = await import('./run-elsewhere.ts');
      const exitCode = await runElsewhere(options, context);
      if (exitCode !== undefined) return exitCode;
    }
    const ref = textOption(options, 'against');
    if (ref !== undefined) {
      // Loaded when it is called for: the readers of nightmark.yml are half of the start.
      const { runAgainst } = await import('./against.ts');
      return runAgainst({ ref, words: args }, options, context);
    }
    refuseWithoutAgainst(options);
    const settings = readCompareOptions(options);
    const requests = compareRequests(args, settings, {
      context,
      places: { A: context.cwd, B: context.cwd },
      cores: await processTimer.cores(),
      seed: settings.seed ?? context.randomSeed(),
      counters: await countersFor(settings, processTimer),
    });
    const watchNoise = await noiseWatcher(requests);
    const { exitCode } = await runComparisons(requests, {
      settings,
      options,
      context,
      timer: processTimer,
      watchNoise,
    });
    return exitCode;
  },
};

export default command;

function refuseWithoutAgainst(options: Options): void {
  const given = ['base', 'build', 'summary'].find((name) => textOption(options, name) !== undefined);
  const name = given ?? (flag(options, 'rebuild') ? 'rebuild' : undefined);
  if (name === undefined) return;
  throw new NightmarkError('CLI_INVALID_OPTION', `--${name} goes with --against.`, {
    hint: 'For example: nightmark duet --against main --build make -- ./bench',
  });
}
