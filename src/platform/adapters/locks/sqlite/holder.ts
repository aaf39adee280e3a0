import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { JsonObject } from '../../../core/text/json.ts';

/** Who wrote itself down as the holder, and what can be known about it from here. */
export type KnownHolder =
  | { readonly state: 'alive' | 'elsewhere'; readonly holder: JsonObject }
  | { readonly state: 'gone' };

export function readHolder(file: string): KnownHolder {
  const facts = readFacts(`${file}.json`);
  if (facts === undefined) return { state: 'gone' };
  const state = stateOf(facts.process);
  return state === 'gone' ? { state } : { state, holder: facts.holder };
}

/** Whole or not there, also for a reader in the same moment. */
export function writeHolder(file: string, holder: JsonObject): void {
  const facts: Facts = { holder, process: ownProcess() };
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(facts)}\n`);
  renameSync(temporary, `${file}.json`);
}

export function forgetHolder(file: string): void {
  rmSync(`${file}.json`, { force: true });
}

interface Facts {
  readonly holder: JsonObject;
  readonly process: ProcessFacts;
}

/** Enough to tell a living process from a later one that was given the same number. */
interface ProcessFacts {
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  readonly startedAt: string;
}

function readFacts(path: string): Facts | undefined {
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as Partial<Facts> | null;
    const isWhole =
      typeof facts?.holder === 'object' && facts.holder !== null && typeof facts.process?.pid === 'number';
    return isWhole ? (facts as Facts) : undefined;
  } catch {
    // Missing or garbled: then nobody can be named. The lock itself does not depend on this file.
    return undefined;
  }
}

function ownProcess(): ProcessFacts {
  return { host: hostname(), boot: bootId(), pid: process.pid, startedAt: processStart(process.pid) };
}

function stateOf({ host, boot, pid, startedAt }: ProcessFacts): KnownHolder['state'] {
  // Another machine on a shared disk, or another container: its processes cannot be seen from here.
  if (host !== hostname()) return 'elsewhere';
  return boot === bootId() && isRunning(pid) && startedAt === processStart(pid) ? 'alive' : 'gone';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Clock ticks since boot at which the process began; empty where there is no /proc. */
function processStart(pid: number): string {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold anything; the start is the 22nd.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
