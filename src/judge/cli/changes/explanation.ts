import type { Executor } from '../../../executors/core/executor.ts';
import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { explainRecord } from '../../app/changes/explain-record.ts';
import type { Explanation } from '../../core/explain/explanation.ts';

/** What else changed at the same point; a sentence where that cannot be told. */
export async function explanationOf(
  change: FollowedChange,
  { home, store }: { readonly home: string; readonly store: Store },
  { disk, signal }: CliContext,
): Promise<Explanation | string> {
  try {
    return await explainRecord(home, change, { store, disk, commits: await commitLog(), signal });
  } catch (error) {
    if (error instanceof NightmarkError) return error.message;
    throw error;
  }
}

/** Reads commits from the cache of sources of a home; fetches nothing. */
export async function commitLog(): Promise<CommitLog> {
  const executor = await loadAdapter<Executor>('executors', 'process');
  const open = await loadAdapter<(executor: Executor) => CommitLog>('sources', 'git');
  return open(executor);
}
