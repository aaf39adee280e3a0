import type { Exit } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { type CancelSignal, stopSwitch } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { DuetBenchmark, PlannedRun } from '../core/duet.ts';
import type { Sandbox } from '../core/sandbox.ts';
import { describeExit } from './describe-exit.ts';
import { runLabel } from './run-events.ts';

/** The barrier of a synchronised run. */
export interface RunBarrier {
  readonly name: string;
  /** The side in whose container it is made; absent: local processes, which meet by "nightmark barrier". */
  readonly maker?: Side;
}

/** Undefined for runs that are not synchronised. The name is that of the original where an image makes the barrier. */
export function barrierOf(run: PlannedRun, benchmark: DuetBenchmark, runId: string): RunBarrier | undefined {
  if (run.type !== 'syncduet') return undefined;
  const maker = (['A', 'B'] as const).find((side) => benchmark.sides[side].image !== undefined);
  return maker ? { name: `${runLabel(run)}:barrier`, maker } : { name: `${runId}.${runLabel(run)}:barrier` };
}

export interface BarrierPlace {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly logFile: string;
}

export async function makeBarrier(place: BarrierPlace, signal: CancelSignal): Promise<void> {
  const command = `/barrier/make-barrier ${shellQuote(place.name)} 2`;
  const exit = await runInside(command, place, signal);
  if (exit.type === 'code' && exit.code === 0) return;
  throw new NightmarkError(
    'DUET_NO_BARRIER',
    `The barrier could not be made: ${command} ${describeExit(exit)}.`,
    { hint: 'A synchronised duet needs /barrier/make-barrier and /barrier/rm-barrier in its image.' },
  );
}

/** Also after Ctrl-C: the barrier lies in memory that all share. */
export async function removeBarrier(place: BarrierPlace): Promise<void> {
  await runInside(`bash /barrier/rm-barrier ${shellQuote(place.name)}`, place, stopSwitch().signal);
}

async function runInside(
  command: string,
  { sandbox, logFile }: BarrierPlace,
  signal: CancelSignal,
): Promise<Exit> {
  const { exit } = await sandbox.run({ command, env: {}, logFile, timeoutMs: PATIENCE_MS }, signal).wait();
  return exit;
}

const PATIENCE_MS = 60_000;
