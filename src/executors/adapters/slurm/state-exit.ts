import type { Exit } from '../../core/executor.ts';
import type { Ended } from './exit-of.ts';
import type { JobState } from './job-states.ts';

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
        return { type: 'not-started', reason: `what job ${ref} had to wait for did not end well` };
      return { type: 'cancelled', reason: `job ${ref} was cancelled in Slurm` };
    case 'COMPLETED':
      return ending ? undefined : { type: 'code', code: 0 };
    default:
      return undefined;
  }
}
