import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Distinguishes a process from a later one with the same id. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The boot id, and the start time in ticks since the boot; empty where the system does not say. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) };
}

/** `unknown` for a process of another machine. */
export function processLife({ host, pid, started }: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (host !== hostname()) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  return started === startOf(pid) ? 'alive' : 'dead';
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
  const stat = readIfThere(`/proc/${pid}/stat`);
  // Field 22, counted after the name, which may hold blanks and brackets.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return ticks === '' ? '' : `${readIfThere('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
