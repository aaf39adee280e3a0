import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Exit } from '../../core/executor.ts';
import { exitCodeOf, finalState, type JobState } from './job-states.ts';
import { type Ending, stagingOf } from './staging.ts';

/** The exit code of a batch script whose folder is not there. */
const NO_STAGING = 71;
const LOOK_MS = 100;
const MOST_LOOKS = 50;

export interface Ended {
  readonly ref: string;
  readonly command: Command;
  /** What the batch script left, if it could. */
  readonly ending: Ending | undefined;
  /** We requested its end. */
  readonly isCancelled: boolean;
}

/** How a job ended: as its script reports, and where that says too little, by the record of Slurm. */
export async function exitOf(ended: Ended): Promise<Exit> {
  const { command, ending, ref } = ended;
  const reported = ending && reportedExit(ending, command);
  if (ended.isCancelled && (reported === undefined || isByForce(reported))) return { type: 'cancelled' };
  if (reported && !isByForce(reported)) return reported;
  return stateExit(ended, await settledState(ref)) ?? reported ?? (await unknownExit(ended));
}

/** While a node tidies up after a job, Slurm does not say yet why it ended. */
async function settledState(ref: string): Promise<JobState | undefined> {
  for (let tries = 0; ; tries++) {
    const known = await finalState(ref);
    if (known?.state !== 'COMPLETING' || tries === MOST_LOOKS) return known;
    await sleep(LOOK_MS);
  }
}

function reportedExit({ how, code }: Ending, { argv, cwd, timeoutMs = 0 }: Command): Exit {
  switch (how) {
    case 'timeout':
      return { type: 'timeout', afterMs: timeoutMs };
    case 'stopped':
      return { type: 'signal', signal: 'SIGTERM' };
    case 'nowhere':
      return { type: 'not-started', reason: `the folder ${cwd} is not there on the node` };
    case 'program':
      return { type: 'not-started', reason: `${argv[0]}: no such program on the node` };
    default:
      return exitOfCode(code);
  }
}

/** Shells report a signal as 128 and its number. */
function exitOfCode(code: number): Exit {
  const signal = code > 128 ? signalName(code - 128) : undefined;
  return signal === undefined ? { type: 'code', code } : { type: 'signal', signal };
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}

/** Slurm has the reason. */
function isByForce(exit: Exit): boolean {
  return exit.type === 'signal' && ['SIGTERM', 'SIGKILL'].includes(exit.signal);
}

/** Neither the script nor the state says how it ended: the exit code that Slurm recorded, if it did. */
async function unknownExit({ ref, command }: Ended): Promise<Exit> {
  const [code, signal] = (await exitCodeOf(ref)) ?? [];
  if (code === NO_STAGING) {
    const reason = `the node does not see ${stagingOf(command)}: results must be on a file system that it shares`;
    return { type: 'not-started', reason };
  }
  if (signal) return { type: 'signal', signal: signalName(signal) ?? `${signal}` };
  if (code) return exitOfCode(code);
  const reason = `Slurm no longer knows job ${ref}, and it left no record of its end`;
  return { type: 'signal', signal: 'SIGKILL', reason };
}

const MIB = 2 ** 20;

/** What the last state of a job says of its end; undefined where it says nothing that the script does not know better. */
export function stateExit({ command, ref, ending }: Ended, known: JobState | undefined): Exit | undefined {
  const { timeMs, memoryBytes } = command.resources ?? {};
  const byForce = (reason: string): Exit => ({ type: 'signal', signal: 'SIGKILL', reason });
  switch (known?.state) {
    case 'TIMEOUT':
    case 'DEADLINE':
      return timeMs === undefined
        ? byForce(`Slurm ended job ${ref} at its time limit`)
        : { type: 'timeout', afterMs: timeMs };
    case 'OUT_OF_MEMORY': {
      const most = memoryBytes === undefined ? 'Slurm gave it' : `its ${Math.ceil(memoryBytes / MIB)} MiB`;
      return byForce(`job ${ref} needed more memory than ${most}`);
    }
    case 'NODE_FAIL':
      return byForce(`the node of job ${ref} failed`);
    case 'PREEMPTED':
      return byForce(`job ${ref} was preempted by another one`);
    case 'BOOT_FAIL':
      return { type: 'not-started', reason: `the node of job ${ref} did not start` };
    case 'CANCELLED':
      if (/^Dependency/.test(known.reason))
        return { type: 'not-started', reason: `a job that job ${ref} depends on failed` };
      return { type: 'cancelled', reason: `job ${ref} was cancelled in Slurm` };
    case 'COMPLETED':
      return ending ? undefined : { type: 'code', code: 0 };
    default:
      return undefined;
  }
}
