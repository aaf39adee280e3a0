import { bootId, isRunning, readProcessStat } from '../adapters/process-identity.ts';
import type { Worker } from '../core/lock.ts';
import type { CliContext } from './command.ts';

/** Who this process is: a later one with the same number is another. */
export function ownWorker({ hostName, processId }: CliContext): Worker {
  return { host: hostName, pid: processId, incarnation: incarnationOf(processId) };
}

/** Whether a worker of this machine lives; undefined for those of other machines. */
export function isAlive({ host, pid, incarnation }: Worker, hostName: string): boolean | undefined {
  if (host !== hostName) return undefined;
  if (!isRunning(pid)) return false;
  const now = incarnationOf(pid);
  return now === '' || incarnation === '' ? true : now === incarnation;
}

/** The boot and the start in ticks since it; empty where the system does not report them. */
function incarnationOf(pid: number): string {
  const stat = readProcessStat(pid);
  if (stat === undefined) return '';
  return stat.state === 'Z' ? 'gone' : `${bootId()} ${stat.startTicks}`;
}
