import type { Executor } from '../../executors/core/executor.ts';
import type { SourceControl } from '../../git/core/source-control.ts';
import type { VersionPairs } from '../../git/core/version-pairs.ts';
import { readDuetBlock } from '../../home/config/duet-block.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, EXIT, type ExitCode, flag, type Options } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type Against, prepareAgainst } from '../app/prepare-against.ts';
import type { CommandTimer } from '../core/command-timer.ts';
import { type AgainstPlan, type AgainstWords, planAgainst } from './against-plan.ts';
import { describeStep } from './against-progress.ts';
import { summaryWriter } from './against-summary-file.ts';
import { noiseWatcher } from './compare-noise.ts';
import { readCompareOptions } from './compare-options.ts';
import { compareRequests } from './compare-requests.ts';
import { runComparisons } from './run-comparisons.ts';

/** nightmark duet --against REF -- command: the working tree against an older state of the repository. */
export async function runAgainst(
  words: AgainstWords,
  options: Options,
  context: CliContext,
): Promise<ExitCode> {
  const executor = await loadAdapter<Executor>('executors', 'process');
  const open = await loadAdapter<(executor: Executor) => SourceControl & VersionPairs>('sources', 'git');
  const control = open(executor);
  const root = (await control.describe(context.cwd))?.root;
  const block = root === undefined ? undefined : await readDuetBlock(root, context.disk);
  const plan = planAgainst(words, options, block);
  try {
    const against = await prepare(plan, control, { options, context });
    try {
      return await measure(against, plan, context);
    } finally {
      await against.release();
    }
  } catch (error) {
    if (!(error instanceof NightmarkError) || error.code !== 'DUET_NOTHING_TO_COMPARE') throw error;
    context.stderr.write(`${error.message}\n  ${error.hint}\n`);
    return EXIT.nothingToCompare;
  }
}

function prepare(
  { ref, base, runIn, build }: AgainstPlan,
  pairs: VersionPairs,
  { options, context }: { readonly options: Options; readonly context: CliContext },
): Promise<Against> {
  const { cwd, env, userHome, signal, stderr } = context;
  const isQuiet = flag(options, 'quiet') || flag(options, 'json');
  const asked = env['XDG_CACHE_HOME'] ?? '';
  // A relative path is to be ignored, says the specification of base directories.
  const cacheDir = joinPath(asked.startsWith('/') ? asked : joinPath(userHome, '.cache'), 'nightmark/duet');
  return prepareAgainst(
    { dir: cwd, ref, base, runIn, ...(build && { build }), cacheDir, env },
    { pairs, signal, report: (step) => isQuiet || stderr.write(`${describeStep(step, ref)}\n`) },
  );
}

async function measure(against: Against, plan: AgainstPlan, context: CliContext): Promise<ExitCode> {
  const { options, command } = plan;
  const read = readCompareOptions(options);
  const { A, B } = against.sides;
  const settings = { ...read, names: [read.names[0] ?? A.name, read.names[1] ?? B.name] };
  const timer = await loadAdapter<CommandTimer>('timers', 'process');
  const requests = compareRequests([command, command], settings, {
    context,
    places: { A: A.cwd, B: B.cwd },
    cores: await timer.cores(),
    seed: settings.seed ?? context.randomSeed(),
  });
  const { ref, base } = plan;
  const summary = await summaryWriter({ against, allow: settings.allow, plan, context });
  const { comparisons, exitCode } = await runComparisons(requests, {
    ...{ settings, options, context, timer },
    watchNoise: await noiseWatcher(requests),
    extra: { against: { ref, base, A: { ...A.version }, B: { ...B.version } } },
    ...(summary.asText && { asText: summary.asText }),
  });
  await summary.write(comparisons);
  return exitCode;
}
