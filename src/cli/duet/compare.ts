import type { CommandTimer } from '../../core/ports/command-timer.ts';
import { loadAdapter } from '../adapters.ts';
import type { CommandModule } from '../command.ts';
import { configureCompare } from './compare-help.ts';
import { readCompareOptions } from './compare-options.ts';
import { joinParameterWords } from './compare-parameters.ts';
import { compareRequests } from './compare-requests.ts';
import { runComparisons } from './run-comparisons.ts';

const command: CommandModule = {
  arrange: joinParameterWords,
  configure: configureCompare,

  async run(args, options, context) {
    const settings = readCompareOptions(options);
    const timer = await loadAdapter<CommandTimer>('timers', 'process');
    const requests = compareRequests(args, settings, {
      context,
      places: { A: context.cwd, B: context.cwd },
      cores: await timer.cores(),
      seed: settings.seed ?? context.randomSeed(),
    });
    const { exitCode } = await runComparisons(requests, { settings, options, context, timer });
    return exitCode;
  },
};

export default command;
