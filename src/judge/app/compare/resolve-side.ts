import type { BriefRun } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { parseSelection, type Selection } from '../../core/compare/side-selection.ts';
import { runsOfBranch } from './branch-runs.ts';
import { runsOfCommit } from './commit-runs.ts';
import { machineNames, valueRuns } from './run-book.ts';

export interface CompareEffects {
  readonly store: Store;
  readonly disk: Disk;
}

/** The runs of one side. */
export interface ResolvedSide {
  /** As it was asked for, or what was taken in its place. */
  readonly asked: string;
  /** The newest of those that it names, newest first. */
  readonly runs: readonly [BriefRun, ...BriefRun[]];
  /** How many it names. */
  readonly matched: number;
}

/** More runs say hardly more, and each costs a reading of every series. */
export const MOST_RUNS = 30;

/** The runs that a text names; an error says what was looked for where there is none. */
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
    hint: `${meant}Say latest, latest~1, a run (nightmark status lists them), a commit of a source, machine:NAME or a day.`,
  });
}
