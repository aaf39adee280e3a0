import { compareCommands } from '../../app/duet/compare-commands.ts';
import type { CompareRequest } from '../../app/duet/compare-request.ts';
import { watchNoise } from '../../app/duet/watch-noise.ts';
import type { Comparison } from '../../core/model/comparison.ts';
import type { CommandTimer } from '../../core/ports/command-timer.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import { loadAdapter } from '../adapters.ts';
import { flag, type Options } from '../command.ts';
import type { CliContext } from '../context.ts';
import { parametersText } from './compare-parameters.ts';
import { compareProgress } from './compare-progress.ts';

/** One after the other; what is done is kept when a later one fails or somebody interrupts. */
export async function compareAll(
  requests: readonly CompareRequest[],
  options: Options,
  { timer, context }: { readonly timer: CommandTimer; readonly context: CliContext },
): Promise<readonly Comparison[]> {
  const machine = await loadAdapter<MachineProbe>('machines', 'local');
  const progress = compareProgress(context, flag(options, 'quiet') || flag(options, 'json'));
  const { clock, signal } = context;
  const done: Comparison[] = [];
  try {
    for (const [index, request] of requests.entries()) {
      if (signal.aborted) break;
      progress.begin(titleOf(request, index, requests.length));
      const effects = { timer, clock, signal, notify: progress.show };
      const watch = () => watchNoise(machine, noisePlan(request));
      done.push(await compareCommands(request, { ...effects, watchNoise: watch }));
    }
  } finally {
    progress.end();
  }
  return done;
}

function noisePlan({ mode, cores }: CompareRequest) {
  return { mode, ...(cores && { pinning: { A: cores[0], B: cores[1] } }) };
}

function titleOf({ sides, parameters, mode }: CompareRequest, index: number, count: number): string {
  const which = count > 1 ? `${index + 1}/${count} ${parametersText(parameters)}: ` : '';
  const { A, B } = sides;
  const what =
    A.command === B.command ? `${A.name} | ${B.name}: ${A.command}` : `${A.command} | ${B.command}`;
  return `${which}${what} (${mode.replaceAll('-', ' ')})`;
}
