import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Which processes are meant: a group, its descendants, and all that carry an environment entry. */
export interface Tree {
  readonly group?: number | undefined;
  /** A whole entry, "NAME=value". */
  readonly environment: string;
}

/** Ends all processes of the tree: SIGTERM, then SIGKILL for what is left after the grace time. Returns how many. */
export async function endProcesses(tree: Tree, graceMs: number): Promise<number> {
  const found = new Set(signalAll(tree, 'SIGTERM'));
  const deadline = performance.now() + graceMs;
  let pauseMs = 2;
  while (performance.now() < deadline) {
    const alive = findProcesses(tree);
    if (alive.length === 0) return found.size;
    for (const pid of alive) found.add(pid);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, 50);
  }
  // A tree that forks as fast as it dies is stopped first, so that nothing new appears between listing and kill.
  for (let round = 0; round < 50; round++) {
    signalAll(tree, 'SIGSTOP');
    const killed = signalAll(tree, 'SIGKILL');
    for (const pid of killed) found.add(pid);
    if (killed.length === 0) break;
    await sleep(5);
  }
  return found.size;
}

/** True while anybody but zombies is left in the group. */
export function isGroupAlive(group: number | undefined): boolean {
  if (group === undefined || !killGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readProcesses().some((it) => it.group === group);
}

export function killGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (group === undefined) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

function signalAll(tree: Tree, signal: NodeJS.Signals): readonly number[] {
  killGroup(tree.group, signal);
  const pids = findProcesses(tree);
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone between listing and signal.
    }
  }
  return pids;
}

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

function findProcesses({ group, environment }: Tree): readonly number[] {
  const all = readProcesses();
  const ours = new Set<number>();
  for (const it of all) {
    if (it.pid === process.pid) continue;
    if ((group !== undefined && it.group === group) || hasEnvironment(it.pid, environment)) ours.add(it.pid);
  }
  // Children may have changed both group and environment; parents come first often, so a few passes suffice.
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const it of all) if (ours.has(it.parent)) ours.add(it.pid);
  }
  return [...ours];
}

/** All processes but zombies. Only Linux lists them; elsewhere the group has to do. */
function readProcesses(): readonly ProcessFacts[] {
  if (process.platform !== 'linux') return [];
  const found: ProcessFacts[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readIfThere(`/proc/${name}/stat`);
    // "pid (any name) state ppid pgrp ...": the name may hold blanks and brackets.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || 'ZX'.includes(state)) continue;
    found.push({ pid, parent: Number(parent), group: Number(group) });
  }
  return found;
}

function hasEnvironment(pid: number, entry: string): boolean {
  const environment = readIfThere(`/proc/${pid}/environ`);
  return environment.startsWith(`${entry}\0`) || environment.includes(`\0${entry}\0`);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
