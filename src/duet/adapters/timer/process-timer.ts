import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandTimer } from '../../core/command-timer.ts';
import { BASH_WORKER } from './bash-worker.ts';
import { findCounters } from './perf-stat.ts';
import { findProgram, ProcessSession } from './timer-session.ts';

type Prefix = readonly [string, ...string[]];

/** Times processes of this machine. */
export const processTimer: CommandTimer = {
  open: async (workers) => new ProcessSession(workers, bashPrefix() ?? nodePrefix()),
  cores: async () => readCores('/'),
  counters: findCounters,
};

/** -p: no functions and no BASH_ENV of the user. --norc: a shell whose input is a socket, as ours is, takes itself for remote. */
const BARE = ['--norc', '-p', '-c'] as const;

function bashPrefix(): Prefix | undefined {
  // By our own PATH: that of a command may lead elsewhere, or nowhere.
  const bash = findProgram('bash', '/', process.env['PATH']);
  if (bash.state === 'missing') return undefined;
  const check = spawnSync(bash.path, [...BARE, '[[ -n $EPOCHREALTIME ]]'], { stdio: 'ignore' });
  return check.status === 0 ? [bash.path, ...BARE, BASH_WORKER, 'nightmark-worker'] : undefined;
}

export function nodePrefix(): Prefix {
  const module = fileURLToPath(new URL('./node-worker.js', import.meta.url));
  return [process.execPath, '--max-semi-space-size=1', module];
}

/** Cores that this process may use, those that are one physical core together; `root` is "/" but for tests. */
export function readCores(root: string): readonly (readonly number[])[] {
  const status = readIfThere(join(root, 'proc/self/status'));
  const allowed = parseList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
  if (allowed.length === 0) return Array.from({ length: availableParallelism() }, (_, core) => [core]);
  const groups = new Map<number, number[]>();
  for (const core of allowed) {
    const siblings = parseList(
      readIfThere(join(root, `sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`)),
    );
    const head = siblings[0] ?? core;
    groups.set(head, [...(groups.get(head) ?? []), core]);
  }
  return [...groups.values()];
}

/** "0-3,8" -> 0, 1, 2, 3, 8 */
function parseList(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [from, to = from] = part.split('-').map(Number);
      if (part === '' || from === undefined || to === undefined || Number.isNaN(from + to)) return [];
      return Array.from({ length: to - from + 1 }, (_, step) => from + step);
    });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
