import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { valueRuns } from './run-book.ts';

/** Runs whose trials are looked at for a commit. */
const MOST_LOOKED_AT = 1_000;
const STEP = 50;

/** Runs in which a source was at this commit, newest first. Hashes are short: either may be the beginning of the other. */
export async function runsOfCommit(
  { hash, source }: { readonly hash: string; readonly source?: string },
  store: Store,
): Promise<readonly BriefRun[]> {
  const runs = (await valueRuns(store)).slice(0, MOST_LOOKED_AT);
  const found = new Set<string>();
  for (let from = 0; from < runs.length; from += STEP) {
    const ids = runs.slice(from, from + STEP).map(({ id }) => id);
    for (const { runId, commits } of await store.trialsOf(ids)) {
      if (found.has(runId)) continue;
      const isThere = Object.entries(commits).some(
        ([name, commit]) => (source === undefined || name === source) && isBeginning(commit, hash),
      );
      if (isThere) found.add(runId);
    }
  }
  return runs.filter(({ id }) => found.has(id));
}

/** "6de6d63-dirty" is another state than "6de6d63", and is found by the same hash. */
function isBeginning(commit: string, hash: string): boolean {
  const known = (/^[0-9a-f]+/.exec(commit.toLowerCase())?.[0] ?? '').slice(0, 64);
  return known.length >= 4 && (known.startsWith(hash) || hash.startsWith(known));
}
