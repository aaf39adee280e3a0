import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** The process that owns a sandbox, distinguished from a later one with the same number. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** The boot and the start in ticks since it; empty where the system does not report it. */
  readonly started: string;
}

export function ourselves(): Owner {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) };
}

/** False also for owners of other machines or containers: whether those live cannot be seen from here. */
export function isDead({ host, pid, started }: Owner): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  return started !== startOf(pid);
}

export function parseOwner(text: string): Owner | undefined {
  try {
    const { host, pid, started } = JSON.parse(text) as Partial<Owner>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof started !== 'string') return undefined;
    return { host, pid, started };
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // Field 22, counted after the name, which may hold blanks and brackets.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return ticks === '' ? '' : `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** How long a harness may take to write its results after SIGTERM. */
export const GRACE_MS = 5_000;

export function noResult(path: string, why: string): NightmarkError {
  return new NightmarkError('DUET_NO_RESULT', `The result ${path} ${why}.`, {
    hint: 'Check the log of that side: did the command write it there? "results" in the duet.yml names the path.',
  });
}
