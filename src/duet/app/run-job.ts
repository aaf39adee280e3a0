import type { Side } from '../../git/core/version-pairs.ts';
import type { DuetBenchmark, PlannedRun } from '../core/duet.ts';
import { resultName } from '../core/result-name.ts';
import type { SandboxCommand, SandboxRequest } from '../core/sandbox.ts';
import type { RunBarrier } from './run-barrier.ts';
import type { ResultsFolder } from './run-folder.ts';

/** One entry of a plan, with all it needs. */
export interface RunJob {
  readonly run: PlannedRun;
  readonly benchmark: DuetBenchmark;
  readonly folder: ResultsFolder;
  /** Of this start of ours: marks sandboxes and processes. */
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
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** Engines allow letters, digits and a few signs in the names of containers. */
function sandboxName({ run, runId }: RunJob, side: Side): string {
  const benchmark = run.benchmark.replaceAll(/[^\w.-]/g, '_').slice(0, 60);
  return `nightmark-${runId}.${run.type}.${benchmark}.${run.runid}.${side}`;
}
