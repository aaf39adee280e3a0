import type { Checkout } from '../../git/core/source-control.ts';
import type { Task } from '../../home/core/home.ts';

/** Below git's own minimum a hash says nothing. */
const MIN_HASH_LENGTH = 4;

/**
 * Whether a task is measured with the commits of its last successful run: then it is left out where all its sources
 * allow that, and otherwise a repeat. The recorded hashes may be short ones; git makes them longer as a repository
 * grows, so the beginning decides.
 */
export function newsOf(
  task: Pick<Task, 'sources'>,
  checkouts: Readonly<Record<string, Checkout>>,
  lastCommits: Readonly<Record<string, string>> | undefined,
): 'new' | 'repeat' | 'skip' {
  if (task.sources.length === 0 || lastCommits === undefined) return 'new';
  const isSame = task.sources.every(({ name }) => {
    const last = lastCommits[name] ?? '';
    return last.length >= MIN_HASH_LENGTH && checkouts[name]?.commit.startsWith(last) === true;
  });
  if (!isSame) return 'new';
  return task.sources.every(({ skipWhenUnchanged }) => skipWhenUnchanged) ? 'skip' : 'repeat';
}
