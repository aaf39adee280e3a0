import { EXIT, type ExitCode, flag, type Options } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { compareCommands } from '../app/compare-commands.ts';
import type { CompareEffects, CompareRequest } from '../app/compare-request.ts';
import type { CommandTimer } from '../core/command-timer.ts';
import { type Comparison, correctMany, isRegression } from '../core/comparison.ts';
import { comparisonJson } from './compare-json.ts';
import type { CompareSettings } from './compare-options.ts';
import { parametersText } from './compare-parameters.ts';
import { compareProgress } from './compare-progress.ts';
import { comparisonText } from './compare-text.ts';
import { writeExports } from './write-exports.ts';

export interface ComparisonWorld {
  readonly settings: CompareSettings;
  readonly options: Options;
  readonly context: CliContext;
  readonly timer: CommandTimer;
  readonly watchNoise?: CompareEffects['watchNoise'];
  /** Further keys of the JSON. */
  readonly extra?: JsonObject;
  /** Printed in place of the usual text. */
  readonly asText?: (comparisons: readonly Comparison[]) => string;
}

/** Runs the comparisons, prints and exports what they say, and gives the exit code. */
export async function runComparisons(
  requests: readonly CompareRequest[],
  world: ComparisonWorld,
): Promise<{ readonly comparisons: readonly Comparison[]; readonly exitCode: ExitCode }> {
  const { settings, options, context } = world;
  const { done, failure } = await compareAll(requests, world);
  const comparisons = correctMany(done, settings.level);
  if (comparisons.length > 0) {
    // Printed first: a full disk must not cost the answer.
    print(comparisons, world);
    await writeExports(comparisons, options, { allow: settings.allow, context });
  }
  if (failure !== undefined) throw failure;
  return { comparisons, exitCode: exitCodeOf(comparisons, world) };
}

/** What is done is kept when a later one fails or somebody interrupts. */
async function compareAll(
  requests: readonly CompareRequest[],
  { options, context, timer, watchNoise }: ComparisonWorld,
): Promise<{ readonly done: readonly Comparison[]; readonly failure?: unknown }> {
  const progress = compareProgress(context, flag(options, 'quiet') || flag(options, 'json'));
  const { clock, signal } = context;
  const effects = { timer, clock, signal, notify: progress.show, ...(watchNoise && { watchNoise }) };
  const done: Comparison[] = [];
  try {
    for (const [index, request] of requests.entries()) {
      if (signal.aborted) break;
      progress.begin(titleOf(request, index, requests.length));
      done.push(await compareCommands(request, effects));
    }
    return { done };
  } catch (failure) {
    return { done, failure };
  } finally {
    progress.end();
  }
}

function print(comparisons: readonly Comparison[], world: ComparisonWorld): void {
  const { options, context, settings, extra } = world;
  const { stdout, version } = context;
  if (flag(options, 'json')) {
    const all = comparisons.map((comparison) => comparisonJson(comparison, settings.allow));
    stdout.write(`${JSON.stringify({ version, ...extra, comparisons: all })}\n`);
    return;
  }
  const usual = () => comparisons.map((comparison) => comparisonText(comparison, stdout)).join('\n');
  stdout.write(world.asText?.(comparisons) ?? usual());
}

function exitCodeOf(
  comparisons: readonly Comparison[],
  { context, settings, options }: ComparisonWorld,
): ExitCode {
  if (context.signal.aborted) return EXIT.interrupted;
  if (comparisons.every(({ judgement }) => judgement.runs === 0)) return EXIT.nothingToCompare;
  const isSlower = comparisons.some((comparison) => isRegression(comparison, settings.allow));
  return isSlower && options['fail'] !== false ? EXIT.regression : EXIT.fine;
}

function titleOf({ sides, parameters, mode }: CompareRequest, index: number, count: number): string {
  const which = count > 1 ? `${index + 1}/${count} ${parametersText(parameters)}: ` : '';
  const { A, B } = sides;
  const both = A.cwd === B.cwd ? `${A.command} | ${B.command}` : `${A.name} | ${B.name}: ${A.command}`;
  return `${which}${both} (${mode.replaceAll('-', ' ')})`;
}
