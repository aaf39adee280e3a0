import pc from 'picocolors';
import { localMachine } from '../../home/adapters/machine/local-machine.ts';
import { findNoise, type NoisePlan, type NoiseWarning } from '../../home/core/machine/find-noise.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import {
  type CliContext,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { compareCommands } from '../app/compare-commands.ts';
import type { CompareEffects, CompareEvent, CompareRequest } from '../app/compare-request.ts';
import type { CommandTimer } from '../core/command-timer.ts';
import { type Comparison, correctMany, type Gate, isRegression } from '../core/comparison.ts';
import type { CompareSettings } from './compare-options.ts';
import { comparisonJson, comparisonText, exportCsv, exportJson, exportMarkdown } from './compare-output.ts';
import { parametersText } from './compare-parameters.ts';

interface ComparisonWorld {
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
    await writeExports(comparisons, options, { gate: settings, context });
  }
  if (failure !== undefined) throw failure;
  return { comparisons, exitCode: exitCodeOf(comparisons, world) };
}

/** Finished comparisons are kept when a later one fails or the user interrupts. */
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
    const all = comparisons.map((comparison) => comparisonJson(comparison, settings));
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
  const isSlower = comparisons.some((comparison) => isRegression(comparison, settings));
  return isSlower && options['fail'] !== false ? EXIT.regression : EXIT.fine;
}

function titleOf({ sides, parameters, mode }: CompareRequest, index: number, count: number): string {
  const which = count > 1 ? `${index + 1}/${count} ${parametersText(parameters)}: ` : '';
  const { A, B } = sides;
  const both = A.cwd === B.cwd ? `${A.command} | ${B.command}` : `${A.name} | ${B.name}: ${A.command}`;
  return `${which}${both} (${mode.replaceAll('-', ' ')})`;
}

interface CompareProgress {
  begin(title: string): void;
  show(event: CompareEvent): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

/** One line that is drawn anew on a terminal, a line a comparison elsewhere. Drawn between pairs only: a timer would disturb. */
function compareProgress({ stderr, clock }: CliContext, isQuiet: boolean): CompareProgress {
  if (isQuiet) return { begin() {}, show() {}, end() {} };
  if (!stderr.isTerminal) return { begin: (title) => stderr.write(`${title}\n`), show() {}, end() {} };
  const colors = pc.createColors(stderr.hasColor);
  let title = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  const draw = (text: string, isFirst: boolean) => {
    // At most ten times a second.
    if (!isFirst && clock.now() - drawnAt < 100) return;
    drawnAt = clock.now();
    stderr.write(`\r\u001b[K${colors.cyan(`${text} ${title}`.slice(0, stderr.columns - 1))}`);
  };
  return {
    begin(text) {
      title = text;
      sum = 0;
      count = 0;
      draw(bar(0, 1), true);
    },
    show(event) {
      if (event.type === 'warming-up') {
        draw(`${bar(0, 1)} warm-up ${event.done + 1}/${event.of}`, false);
        return;
      }
      if (event.logRatio !== undefined) {
        sum += event.logRatio;
        count++;
      }
      const ratio = count > 0 ? ` ratio ${Math.exp(sum / count).toFixed(3)}` : '';
      const { done, planned } = event;
      draw(`${bar(done, planned)} ${done}/${planned}${ratio}`, done === planned);
    },
    end: () => stderr.write('\r\u001b[K'),
  };
}

function bar(done: number, total: number): string {
  const width = 20;
  const filled = Math.min(width, Math.round((width * done) / Math.max(1, total)));
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}

/** Writes the requested export files. */
async function writeExports(
  comparisons: readonly Comparison[],
  options: Options,
  { gate, context }: { readonly gate: Gate; readonly context: CliContext },
): Promise<void> {
  const files = [
    ['exportJson', () => exportJson(comparisons, gate)],
    ['exportCsv', () => exportCsv(comparisons)],
    ['exportMarkdown', () => exportMarkdown(comparisons)],
  ] as const;
  for (const [option, text] of files) {
    const path = textOption(options, option);
    if (path !== undefined) await context.disk.writeText(resolvePath(context.cwd, path), text());
  }
}

/** The noise check of this machine for comparisons that all run in the same way. */
export async function noiseWatcher([first]: readonly CompareRequest[]): Promise<
  NonNullable<CompareEffects['watchNoise']>
> {
  const machine = localMachine();
  const cores = first?.cores;
  const plan: NoisePlan = {
    mode: first?.mode ?? 'together',
    ...(cores && { pinning: { A: cores[0], B: cores[1] } }),
  };
  return () => watchNoise(machine, plan);
}

/** Measures noise now, and again when the returned function is called: what disturbed in between. */
async function watchNoise(machine: MachineProbe, plan: NoisePlan): Promise<() => Promise<readonly string[]>> {
  const before = await machine.noise();
  return async () => findNoise(before, await machine.noise(), plan).map(noiseLine);
}

function noiseLine({ text, hint }: NoiseWarning): string {
  return `${text} → ${hint}`;
}
