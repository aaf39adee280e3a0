import { readFileSync } from 'node:fs';
import type { Worker } from '../core/lock.ts';
import type { CliContext } from './command.ts';

/** Who this process is: a later one with the same number is another. */
export function ownWorker({ hostName, processId }: CliContext): Worker {
  return { host: hostName, pid: processId, incarnation: incarnationOf(processId) };
}

/** Whether a worker of this machine lives; undefined for those of other machines. */
export function isAlive({ host, pid, incarnation }: Worker, hostName: string): boolean | undefined {
  if (host !== hostName) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = incarnationOf(pid);
  return now === '' || incarnation === '' ? true : now === incarnation;
}

/** The boot and the start in ticks since it; empty where the system does not tell. */
function incarnationOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Counted after the name, which may hold blanks and brackets: state first, start twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return 'gone';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`;
  } catch {
    return '';
  }
}
