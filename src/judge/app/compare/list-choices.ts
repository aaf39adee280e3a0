import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { compareNaturally } from '../../../platform/core/text/text-order.ts';
import { branchesOf } from './branch-runs.ts';
import { machineNames, valueRuns } from './run-book.ts';

/** What can be chosen as a side: offered while somebody types. */
export interface CompareChoices {
  readonly runs: readonly (Pick<Run, 'id' | 'label' | 'startedAt' | 'kind'> & {
    /** "repo@6de6d63" of each source. */
    readonly commits: readonly string[];
  })[];
  readonly machines: readonly string[];
  /** Those of imports: nights record commits only. */
  readonly branches: readonly string[];
}

const RUNS = 60;

export async function listChoices(
  home: string,
  { store, disk }: { readonly store: Store | undefined; readonly disk: Disk },
): Promise<CompareChoices> {
  if (!store) return { runs: [], machines: [], branches: [] };
  const runs = (await valueRuns(store, { limit: 4 * RUNS })).slice(0, RUNS);
  const commits = new Map<string, Set<string>>();
  for (const trial of await store.trialsOf(runs.map(({ id }) => id))) {
    const own = commits.get(trial.runId) ?? new Set<string>();
    for (const [name, hash] of Object.entries(trial.commits)) own.add(`${name}@${hash}`);
    commits.set(trial.runId, own);
  }
  const imports = runs.filter(({ kind }) => kind === 'import');
  const branches = await branchesOf(imports, { home, disk });
  return {
    runs: runs.map(({ id, label, startedAt, kind }) => {
      return { id, label, startedAt, kind, commits: [...(commits.get(id) ?? [])] };
    }),
    machines: [...new Set((await machineNames(runs, store)).values())].sort(compareNaturally),
    branches: [...new Set(branches.filter((one) => one !== undefined))].sort(compareNaturally),
  };
}
