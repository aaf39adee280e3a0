import type { Executor } from '../../executors/core/executor.ts';
import { gitSources } from '../../git/adapters/git.ts';
import type { PairStep, Version, VersionPairs } from '../../git/core/version-pairs.ts';
import { localMachine } from '../../home/adapters/machine/local-machine.ts';
import { readDuetBlock } from '../../home/config/duet-block.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { processTimer } from '../adapters/timer/process-timer.ts';
import { againstSummary } from '../app/against-summary.ts';
import { type Against, prepareAgainst } from '../app/prepare-against.ts';
import { type Comparison, type Gate, isRegression } from '../core/comparison.ts';
import { type AgainstPlan, type AgainstWords, planAgainst, retypeAgainst } from './against-plan.ts';
import { readCompareOptions } from './compare-options.ts';
import { compareRequests, countersFor } from './compare-requests.ts';
import { noiseWatcher, runComparisons } from './run-comparisons.ts';

/** nightmark duet --against REF -- command: the working tree against an older state of the repository. */
export async function runAgainst(
  words: AgainstWords,
  options: Options,
  context: CliContext,
): Promise<ExitCode> {
  const executor = await loadAdapter<Executor>('executors', 'process');
  const control = gitSources(executor);
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
  const cacheHome = env['XDG_CACHE_HOME'] ?? '';
  // A relative path is to be ignored, says the specification of base directories.
  const cacheDir = joinPath(
    cacheHome.startsWith('/') ? cacheHome : joinPath(userHome, '.cache'),
    'nightmark/duet',
  );
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
  const requests = compareRequests([command, command], settings, {
    context,
    places: { A: A.cwd, B: B.cwd },
    cores: await processTimer.cores(),
    seed: settings.seed ?? context.randomSeed(),
    counters: await countersFor(settings, processTimer),
  });
  const { ref, base } = plan;
  const summary = await summaryWriter({ against, gate: settings, plan, context });
  const { comparisons, exitCode } = await runComparisons(requests, {
    ...{ settings, options, context, timer: processTimer },
    watchNoise: await noiseWatcher(requests),
    extra: { against: { ref, base, A: { ...A.version }, B: { ...B.version } } },
    ...(summary.asText && { asText: summary.asText }),
  });
  await summary.write(comparisons);
  return exitCode;
}

/** A line for people on what is being prepared. */
function describeStep(step: PairStep, ref: string): string {
  switch (step.step) {
    case 'waiting':
      return `Waiting for ${step.owner}, which prepares the same repository.`;
    case 'found':
      return `A: ${versionText(step.A)} (${visible(ref)})\nB: ${step.B.isChanged ? 'the working tree on ' : ''}${versionText(step.B)}`;
    case 'building':
      return `Building ${step.side} ...`;
    case 'reused':
      return `${step.side} is already built.`;
  }
}

function versionText({ shortCommit, date, subject }: Version): string {
  return `${shortCommit} ${date.slice(0, 10)} ${visible(subject)}`;
}

interface SummaryWriter {
  /** Printed in place of the usual text; absent when the usual text is wanted. */
  readonly asText?: (comparisons: readonly Comparison[]) => string;
  /** Writes it to the requested file, and appends it to the summary of the CI job. */
  write(comparisons: readonly Comparison[]): Promise<void>;
}

interface SummaryCircumstances {
  readonly against: Against;
  readonly gate: Gate;
  readonly plan: AgainstPlan;
  readonly context: CliContext;
}

async function summaryWriter(circumstances: SummaryCircumstances): Promise<SummaryWriter> {
  const { against, gate, plan, context } = circumstances;
  const machine = await localMachine().probe();
  const { commit } = against.sides.A.version;
  const toText = (comparisons: readonly Comparison[]) =>
    comparisons
      .map((comparison) => {
        const again = retypeAgainst(plan, { commit, comparison });
        const isSlower = isRegression(comparison, gate);
        const { allow } = gate;
        return againstSummary({ comparison, against, machine, allow, isRegression: isSlower, again });
      })
      .join('\n');

  const path = textOption(plan.options, 'summary');
  const job = context.env['GITHUB_STEP_SUMMARY'];
  return {
    ...(path === '-' && { asText: toText }),
    async write(comparisons) {
      const file = path === undefined || path === '-' ? undefined : resolvePath(context.cwd, path);
      if (file !== undefined) await context.disk.writeText(file, toText(comparisons));
      if (job) await appendTo(job, `${toText(comparisons)}\n`, context);
    },
  };
}

/** Other steps of the same job write to the same file. */
async function appendTo(path: string, text: string, { disk }: CliContext): Promise<void> {
  const file = await disk.openJournal(path);
  try {
    file.append(text);
  } finally {
    file.close();
  }
}
