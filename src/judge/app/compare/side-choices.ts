import type { BriefRun, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { compareNaturally } from '../../../platform/core/text/text-order.ts';
import {
  branchesOf,
  type CompareEffects,
  machineNames,
  type ResolvedSide,
  resolveSide,
  valueRuns,
} from './resolve-side.ts';

export interface RequestedSides {
  readonly home: string;
  /** Absent: the newest run for the head, the one before it for the base. */
  readonly base?: string;
  readonly head?: string;
}

/** Both sides; a side that was not requested is chosen. */
export async function resolveSides(
  { home, base, head }: RequestedSides,
  effects: CompareEffects,
): Promise<{ readonly base: ResolvedSide; readonly head: ResolvedSide }> {
  const after = await resolveSide(head ?? 'latest', home, effects);
  if (base !== undefined) return { base: await resolveSide(base, home, effects), head: after };
  const before = await runBefore(after, effects.store);
  return { base: { asked: before.id, runs: [before], matched: 1 }, head: after };
}

const LOOKED_AT = 60;

/** The newest earlier run with an experiment of the head in it; on the same machine if there is one. */
async function runBefore({ asked, runs }: ResolvedSide, store: Store): Promise<BriefRun> {
  const oldest = runs.at(-1) ?? runs[0];
  const earlier = await valueRuns(store, { limit: LOOKED_AT, before: oldest.startedAt });
  const wanted = await experimentsOf(runs[0], store);
  let other: BriefRun | undefined;
  for (const run of earlier) {
    const own = await experimentsOf(run, store);
    if (![...own].some((name) => wanted.has(name))) continue;
    if (run.machineId === runs[0].machineId) return run;
    other ??= run;
  }
  if (other !== undefined) return other;
  throw new NightmarkError('COMPARE_NO_BASE', `There is no run before ${asked} to compare it with.`, {
    hint: 'Run a second night (nightmark run), or name the base: nightmark compare BASE HEAD',
  });
}

async function experimentsOf({ id }: BriefRun, store: Store): Promise<ReadonlySet<string>> {
  const trials = await store.trialsOf([id]);
  return new Set(trials.filter(({ kind }) => kind === 'experiment').map(({ task }) => task));
}

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
