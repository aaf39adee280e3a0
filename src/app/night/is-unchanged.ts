import type { Task } from '../../core/model/home.ts';
import type { Checkout } from '../../core/ports/source-control.ts';

/** Below git's own minimum a hash says nothing. */
const MIN_HASH_LENGTH = 4;

/**
 * True when every source of the task may be skipped and has the commit of the last successful run. The recorded
 * hashes may be short ones; git makes them longer as a repository grows, so the beginning decides.
 */
export function isUnchanged(
  task: Pick<Task, 'sources'>,
  checkouts: Readonly<Record<string, Checkout>>,
  lastCommits: Readonly<Record<string, string>> | undefined,
): boolean {
  if (task.sources.length === 0 || lastCommits === undefined) return false;
  return task.sources.every(({ name, skipWhenUnchanged }) => {
    const last = lastCommits[name] ?? '';
    const isSame = last.length >= MIN_HASH_LENGTH && checkouts[name]?.commit.startsWith(last) === true;
    return skipWhenUnchanged && isSame;
  });
}
