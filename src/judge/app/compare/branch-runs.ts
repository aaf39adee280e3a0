import { runFiles } from '../../../home/core/home-layout.ts';
import { parseJournal } from '../../../home/core/journal.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { whyInvalidName } from '../../../platform/core/path.ts';

/** Imports whose journal is looked into: each costs a file. */
const MOST_LOOKED_AT = 500;
const HEAD_BYTES = 64 * 1024;

/** Imports that were told their branch, newest first. Nights record commits only. */
export async function runsOfBranch(
  name: string,
  { home, store, disk }: { readonly home: string; readonly store: Store; readonly disk: Disk },
): Promise<readonly Run[]> {
  const runs = await store.latestRuns({ limit: MOST_LOOKED_AT, kind: 'import' });
  const branches = await branchesOf(runs, { home, disk });
  const found = runs.filter((_, place) => branches[place] === name);
  if (found.length > 0) return found;
  const known = new Set(branches.filter((branch) => branch !== undefined));
  const others = known.size === 0 ? '' : ` Known branches: ${[...known].slice(0, 5).join(', ')}.`;
  throw new NightmarkError('COMPARE_NO_BRANCH', `No run is known to be of the branch "${name}".`, {
    hint: `Only imports with --branch record one; nights record commits. Ask git which commit it is at, and say commit:HASH.${others}`,
  });
}

/** For each of the runs its branch; undefined where nobody told one. */
export async function branchesOf(
  runs: readonly Pick<Run, 'id'>[],
  { home, disk }: { readonly home: string; readonly disk: Disk },
): Promise<readonly (string | undefined)[]> {
  const branches: (string | undefined)[] = [];
  for (const { id } of runs)
    branches.push(whyInvalidName(id) === undefined ? await branchOf(id, home, disk) : undefined);
  return branches;
}

async function branchOf(runId: string, home: string, disk: Disk): Promise<string | undefined> {
  const path = runFiles(home, runId).journal;
  const ends = await disk.readEnds(path, { headBytes: HEAD_BYTES, tailBytes: 0, within: home });
  for (const event of parseJournal(ends?.head ?? '')) {
    if (event.type === 'import') return event.branch;
  }
  return undefined;
}
