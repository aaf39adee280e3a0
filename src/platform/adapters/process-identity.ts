import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Distinguishes a process from a later one with the same number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The boot id, and the start time in ticks since the boot; empty where the system does not say. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) };
}

/** `unknown` for a process of another machine or container: whether it lives cannot be seen from here. */
export function processLife({ host, pid, started }: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (host !== hostname()) return 'unknown';
  return isRunning(pid) && started === startOf(pid) ? 'alive' : 'dead';
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const { host, pid, started } = JSON.parse(text) as Partial<ProcessIdentity>;
    if (typeof host !== 'string' || !Number.isInteger(pid) || typeof started !== 'string') return undefined;
    return { host, pid: pid as number, started };
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string {
  const ticks = readProcessStat(pid)?.startTicks ?? '';
  return ticks === '' ? '' : `${bootId()} ${ticks}`;
}

/** Whether some process has this number now; one that we may not signal is there, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

export interface ProcessStat {
  /** One letter; "Z" is a zombie. */
  readonly state: string;
  /** Clock ticks since boot at which the process began: a later process with the same number has others. */
  readonly startTicks: string;
}

/** Undefined when the process is gone, or where there is no /proc. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  // The second field is the name of the program in brackets and may hold anything; the start is the 22nd.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

/** Empty where there is no /proc. */
export function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
