import type { Exit } from '../../executors/core/executor.ts';
import { MEASURES_FILE } from '../../executors/core/measured-command.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { type CancelSignal, stopSwitch } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { DuetBenchmark, PlannedRun } from '../core/duet.ts';
import { resultName } from '../core/result-name.ts';
import type { Sandbox, SandboxCommand, SandboxRequest } from '../core/sandbox.ts';
import type { ResultsFolder } from './results-folder.ts';
import { runLabel } from './run-effects.ts';

/** One entry of a plan, with all it needs. */
export interface RunJob {
  readonly run: PlannedRun;
  readonly benchmark: DuetBenchmark;
  readonly folder: ResultsFolder;
  /** Id of this invocation: marks its sandboxes and processes. */
  readonly runId: string;
  readonly engine: string;
  /** The folder of the duet.yml, which local commands find as NIGHTMARK_DUET_DIR. */
  readonly configDir: string;
  step(step: 'RUN' | 'STOP' | 'GET' | 'RESULTS' | 'CLEANUP'): void;
  kept(place: string): void;
}

export function sidesOf(run: PlannedRun): readonly Side[] {
  return run.type === 'seqn' ? [run.pair] : ['A', 'B'];
}

/** Which is started first. */
export function startOrder(run: PlannedRun): readonly Side[] {
  if (run.type === 'seqn') return [run.pair];
  return run.order === 'AB' ? ['A', 'B'] : ['B', 'A'];
}

/** As the names of results, so that logs are found by them: dacapo.fop.0.duet.AB.A. and the ending. */
export function fileOf({ run, benchmark }: RunJob, side: Side, ending: string): string {
  return resultName(run, side, { suite: benchmark.suite, path: ending });
}

export function sandboxRequest(job: RunJob, side: Side, barrier: RunBarrier | undefined): SandboxRequest {
  const { benchmark, folder, runId, engine } = job;
  const { image } = benchmark.sides[side];
  return {
    name: sandboxName(job, side),
    runId,
    engine,
    ...(image !== undefined && { image }),
    workDir: folder.work,
    sharesMemory: barrier !== undefined,
    ...(barrier?.maker === side && { barrier: barrier.name }),
    keep: !benchmark.removeContainers,
  };
}

export function sideCommand(job: RunJob, side: Side, barrier: RunBarrier | undefined): SandboxCommand {
  const { benchmark, configDir, folder } = job;
  const { timeoutMs } = benchmark;
  const { image, command, syncCommand = command } = benchmark.sides[side];
  return {
    command: barrier === undefined ? command : syncCommand.replaceAll('$$', () => barrier.name),
    env: {
      NIGHTMARK_SIDE: side,
      ...(image === undefined && { NIGHTMARK_DUET_DIR: configDir }),
      ...(barrier !== undefined && { NIGHTMARK_BARRIER: barrier.name }),
    },
    logFile: folder.log(fileOf(job, side, 'log')),
    measuresFile: MEASURES_FILE,
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** Engines allow letters, digits and a few signs in the names of containers. */
function sandboxName({ run, runId }: RunJob, side: Side): string {
  const benchmark = run.benchmark.replaceAll(/[^\w.-]/g, '_').slice(0, 60);
  return `nightmark-${runId}.${run.type}.${benchmark}.${run.runid}.${side}`;
}

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

interface BarrierPlace {
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
  const { exit } = await sandbox
    .run({ command, env: {}, logFile, timeoutMs: BARRIER_TIMEOUT_MS }, signal)
    .wait();
  return exit;
}

const BARRIER_TIMEOUT_MS = 60_000;

/** How a command ended, as the end of a sentence. */
export function describeExit(exit: Exit): string {
  switch (exit.type) {
    case 'code':
      return `ended with exit code ${exit.code}`;
    case 'signal':
      return `was ended by ${exit.signal}`;
    case 'timeout':
      return `was stopped after ${plainly(formatDuration(exit.afterMs))}`;
    case 'cancelled':
      return 'was cancelled';
    case 'not-started':
      return `could not be started: ${exit.reason}`;
  }
}
