import { runFiles } from '../../../home/core/home-layout.ts';
import { parseJournal } from '../../../home/core/journal.ts';
import type { BriefRun, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { whyInvalidName } from '../../../platform/core/path.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { parseSelection, type Selection } from '../../core/compare/side-selection.ts';

export interface CompareEffects {
  readonly store: Store;
  readonly disk: Disk;
}

/** The runs of one side. */
export interface ResolvedSide {
  /** As requested, or what was taken by default. */
  readonly asked: string;
  /** The newest of those that it names, newest first. */
  readonly runs: readonly [BriefRun, ...BriefRun[]];
  /** How many it names. */
  readonly matched: number;
}

/** More runs say hardly more, and each costs a reading of every series. */
const MOST_RUNS = 30;

/** The runs that a text names; an error says what was searched where there is none. */
export async function resolveSide(
  asked: string,
  home: string,
  effects: CompareEffects,
): Promise<ResolvedSide> {
  const all = await runsFor(parseSelection(asked), { asked, home }, effects);
  const [first, ...rest] = all.slice(0, MOST_RUNS);
  if (first === undefined) throw await nothingFound(asked, effects);
  return { asked, runs: [first, ...rest], matched: all.length };
}

async function runsFor(
  selection: Selection,
  { asked, home }: { readonly asked: string; readonly home: string },
  { store, disk }: CompareEffects,
): Promise<readonly BriefRun[]> {
  switch (selection.kind) {
    case 'name':
      return runsOfName(selection.text, asked, store);
    case 'commit':
      return runsOfCommit(selection, store);
    case 'branch':
      return runsOfBranch(selection.name, { home, store, disk });
    case 'machine': {
      const runs = await valueRuns(store);
      const names = await machineNames(runs, store);
      const { name } = selection;
      return runs.filter(({ machineId: id = '' }) => id !== '' && (names.get(id) === name || id === name));
    }
    case 'latest':
      return (await valueRuns(store)).slice(selection.back, selection.back + 1);
    case 'span': {
      const { from, to } = selection;
      return (await valueRuns(store)).filter(({ startedAt }) => startedAt >= from && startedAt < to);
    }
  }
}

/** A run by id or label, or by a beginning that only one has; or else a commit. */
async function runsOfName(text: string, asked: string, store: Store): Promise<readonly BriefRun[]> {
  const exact = await store.run(text);
  if (exact) return [exact];
  const runs = await valueRuns(store);
  const labelled = runs.filter(({ label }) => label === text);
  if (labelled.length === 1) return labelled;
  const begun = runs.filter(({ id, label }) => id.startsWith(text) || label.startsWith(text));
  if (begun.length > 1) {
    const names = begun.slice(0, 3).map(({ id }) => id);
    throw new NightmarkError('COMPARE_AMBIGUOUS', `${begun.length} runs begin with "${asked}".`, {
      hint: `Say which: ${names.join(', ')}${begun.length > 3 ? ' ...' : ''}`,
    });
  }
  if (begun.length === 1) return begun;
  return /^[0-9a-f]{4,64}$/i.test(text) ? runsOfCommit({ hash: text.toLowerCase() }, store) : [];
}

async function nothingFound(asked: string, { store }: CompareEffects): Promise<NightmarkError> {
  const runs = await valueRuns(store, { limit: 200 });
  const machines = [...(await machineNames(runs, store)).values()].map((name) => `machine:${name}`);
  const near = nearest(asked, [...runs.map(({ id }) => id), ...runs.map(({ label }) => label), ...machines]);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return new NightmarkError('COMPARE_NO_RUNS', `No run is "${asked}".`, {
    hint: `${meant}Use latest, latest~1, a run (nightmark status lists them), a commit of a source, machine:NAME or a day.`,
  });
}

/** Imports whose journal is read: each costs a file. */
const MOST_RUNS_OF_BRANCH = 500;
const HEAD_BYTES = 64 * 1024;

/** Imports with a branch, newest first. Nights record commits only. */
async function runsOfBranch(
  name: string,
  { home, store, disk }: { readonly home: string; readonly store: Store; readonly disk: Disk },
): Promise<readonly Run[]> {
  const runs = await store.latestRuns({ limit: MOST_RUNS_OF_BRANCH, kind: 'import' });
  const branches = await branchesOf(runs, { home, disk });
  const found = runs.filter((_, place) => branches[place] === name);
  if (found.length > 0) return found;
  const known = new Set(branches.filter((branch) => branch !== undefined));
  const others = known.size === 0 ? '' : ` Known branches: ${[...known].slice(0, 5).join(', ')}.`;
  throw new NightmarkError('COMPARE_NO_BRANCH', `No run is recorded for the branch "${name}".`, {
    hint: `Only imports with --branch record one; nights record commits. Find its commit with git, and use commit:HASH.${others}`,
  });
}

/** For each of the runs its branch; undefined where none was given. */
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

/** Runs whose trials are searched for a commit. */
const MOST_RUNS_OF_COMMIT = 1_000;
const STEP = 50;

/** Runs in which a source was at this commit, newest first. Hashes are short: either may be the beginning of the other. */
async function runsOfCommit(
  { hash, source }: { readonly hash: string; readonly source?: string },
  store: Store,
): Promise<readonly BriefRun[]> {
  const runs = (await valueRuns(store)).slice(0, MOST_RUNS_OF_COMMIT);
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

/** Older runs are reached by their id. */
const MOST_RUNS_KNOWN = 5_000;

/** Runs that bring values of experiments, newest first; one that still runs is not among them. */
export async function valueRuns(
  store: Store,
  query: { readonly limit?: number; readonly before?: number } = {},
): Promise<readonly BriefRun[]> {
  const { limit = MOST_RUNS_KNOWN, before } = query;
  const all = await store.latestRuns({ limit, isBrief: true, ...(before !== undefined && { before }) });
  return all.filter(({ kind, state }) => (kind === 'night' || kind === 'import') && state !== 'running');
}

/** Names of the machines of runs, by their id. */
export async function machineNames(
  runs: readonly Pick<Run, 'machineId'>[],
  store: Store,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { machineId } of runs) {
    if (machineId === undefined || names.has(machineId)) continue;
    names.set(machineId, (await store.machine(machineId))?.name ?? machineId);
  }
  return names;
}
