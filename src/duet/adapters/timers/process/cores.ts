import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

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
