import { compareCommands } from '../../app/duet/compare-commands.ts';
import type { CompareRequest } from '../../app/duet/compare-request.ts';
import { correctMany } from '../../core/duet/correct-many.ts';
import { isRegression } from '../../core/duet/is-regression.ts';
import type { Comparison } from '../../core/model/comparison.ts';
import type { CommandTimer } from '../../core/ports/command-timer.ts';
import { loadAdapter } from '../adapters.ts';
import { type CommandModule, EXIT, flag, type Options } from '../command.ts';
import type { CliContext } from '../context.ts';
import { configureCompare } from './compare-help.ts';
import { comparisonJson } from './compare-json.ts';
import { readCompareOptions } from './compare-options.ts';
import { joinParameterWords, parametersText } from './compare-parameters.ts';
import { compareProgress } from './compare-progress.ts';
import { compareRequests } from './compare-requests.ts';
import { comparisonText } from './compare-text.ts';
import { writeExports } from './write-exports.ts';

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
    const comparisons = await compareAll(requests, options, { timer, context });
    const all = correctMany(comparisons, settings.level);
    const { allow } = settings;
    context.stdout.write(
      flag(options, 'json')
        ? `${JSON.stringify({ version: context.version, comparisons: all.map((one) => comparisonJson(one, allow)) })}\n`
        : all.map((one) => comparisonText(one, context.stdout)).join('\n'),
    );
    await writeExports(all, options, { allow, context });
    if (context.signal.aborted) return EXIT.interrupted;
    const isSlower = all.some((one) => isRegression(one, allow));
    return isSlower && options['fail'] !== false ? EXIT.regression : EXIT.fine;
  },
};

export default command;

interface World {
  readonly timer: CommandTimer;
  readonly context: CliContext;
}

/** One after the other; what is done is kept when a later one fails or somebody interrupts. */
async function compareAll(
  requests: readonly CompareRequest[],
  options: Options,
  { timer, context }: World,
): Promise<readonly Comparison[]> {
  const progress = compareProgress(context, flag(options, 'quiet') || flag(options, 'json'));
  const done: Comparison[] = [];
  try {
    for (const [index, request] of requests.entries()) {
      if (context.signal.aborted) break;
      progress.begin(titleOf(request, index, requests.length));
      const { clock, signal } = context;
      done.push(await compareCommands(request, { timer, clock, signal, notify: progress.show }));
    }
  } finally {
    progress.end();
  }
  return done;
}

function titleOf({ sides, parameters, mode }: CompareRequest, index: number, count: number): string {
  const which = count > 1 ? `${index + 1}/${count} ${parametersText(parameters)}: ` : '';
  return `${which}${sides.A.command} | ${sides.B.command} (${mode.replaceAll('-', ' ')})`;
}
