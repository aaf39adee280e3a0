import { samplesToData } from '../../formats/core/sample-data.ts';
import { readJournal } from '../../home/app/reindex/index-journals.ts';
import { inGroups } from '../../home/app/reindex/reindex-progress.ts';
import { dataFileValues } from '../../home/app/result-files.ts';
import { runIdAt } from '../../home/app/run-id.ts';
import { homeLayout, runFiles } from '../../home/core/home-layout.ts';
import type { JournalEvent } from '../../home/core/journal.ts';
import type { Machine, Run, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { parseExactJson } from '../../platform/core/text/exact-json.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { sha256 } from '../../platform/core/text/sha256.ts';
import { nightLabel } from '../../platform/core/text/times.ts';
import type { ImportedRun } from './import-request.ts';

export interface StoreImportEffects {
  readonly disk: Disk;
  readonly store: Store;
  readonly clock: Pick<Clock, 'wall'>;
}

/** Where runs are stored. */
export interface ImportPlace {
  readonly home: string;
  readonly project: string;
}

/** A run of an import and what became of it. */
export interface StoredRun {
  readonly id: string;
  readonly run: ImportedRun;
  /** known: the home had it already, or an earlier file of this import is the same. */
  readonly state: 'new' | 'known';
}

/**
 * Stores runs as files and in the index; those that the home has are left alone. A run counts from its journal on: what a
 * crash left without one is stored again by the next import, and so is what did not come into the index. The data file
 * comes after the journal, for one whose label no journal has would be taken for a night of an old dashboard.
 */
export async function storeImport(
  runs: readonly ImportedRun[],
  place: ImportPlace,
  effects: StoreImportEffects,
): Promise<readonly StoredRun[]> {
  const { store } = effects;
  const known = await knownRuns(place.home, effects.disk);
  const labels = await freeLabels(store, effects.clock);
  const stored: StoredRun[] = [];
  await inGroups(store, runs, async (run) => {
    const id = known.idOf(run);
    const isKnown = (await store.run(id)) !== undefined;
    if (!isKnown) await storeOne(run, { ...place, id, labels }, effects);
    known.add(run, id);
    stored.push({ id, run, state: isKnown ? 'known' : 'new' });
  });
  return stored;
}

/** Experiments that got something new, by name. */
export function newExperiments(stored: readonly StoredRun[]): readonly string[] {
  const fresh = stored.filter(({ state }) => state === 'new');
  return [...new Set(fresh.map(({ run }) => run.experiment))].sort();
}

/** Which runs the home would have already; nothing is written. */
export async function findKnown(
  runs: readonly ImportedRun[],
  home: string,
  disk: Disk,
): Promise<readonly StoredRun[]> {
  const known = await knownRuns(home, disk);
  return runs.map((run) => {
    const id = known.idOf(run);
    const state = known.has(id) ? 'known' : 'new';
    known.add(run, id);
    return { id, run, state };
  });
}

interface KnownRuns {
  /** The id that a run has in the home, or will have. */
  idOf(run: ImportedRun): string;
  has(id: string): boolean;
  add(run: ImportedRun, id: string): void;
}

/**
 * The id of an imported run ends with its key: the names of the folders show what was imported. A key is that of one run
 * with a time of its own; results without one are another run for each file, however equal they are.
 */
async function knownRuns(home: string, disk: Disk): Promise<KnownRuns> {
  const ids = new Set((await disk.list(homeLayout(home).runs)).map(({ name }) => name));
  const byKey = new Map([...ids].map((id) => [id.slice(id.lastIndexOf('-') + 1), id]));
  const files = new Map<string, string>();
  return {
    idOf({ key, formerKey, at, file }) {
      if (formerKey === undefined) return byKey.get(key) ?? runIdAt(at, key);
      const former = runIdAt(at, formerKey);
      if (ids.has(former)) return former;
      // Two files that were written at the same time.
      let own = key;
      for (let number = 2; (files.get(own) ?? file) !== file; number++) own = `${key}${number}`;
      return runIdAt(at, own);
    },
    has: (id) => ids.has(id),
    add({ key, file, formerKey }, id) {
      const own = id.slice(id.lastIndexOf('-') + 1);
      if (formerKey === undefined) byKey.set(key, id);
      else files.set(own, file);
      ids.add(id);
    },
  };
}

interface OnePlace extends ImportPlace {
  readonly id: string;
  readonly labels: FreeLabels;
}

async function storeOne(imported: ImportedRun, place: OnePlace, effects: StoreImportEffects): Promise<void> {
  const { home, id } = place;
  const { disk, store } = effects;
  const { experiment, samples } = imported;
  const files = runFiles(home, id);
  const run = (await journalledRun(files.journal, id, disk)) ?? newRun(imported, place);
  const trial = trialOf(imported, run);
  const machine = machineOf(imported);
  const data = pythonJson(dataOf(imported, run));
  await disk.writeText(files.samples(experiment), JSON.stringify({ format: imported.format, samples }));
  await disk.writeText(files.journal, journalOf(imported, { run, trial, machine }));
  await disk.writeText(joinPath(homeLayout(home).data(experiment), `data_${run.label}.json`), data);
  const at = run.startedAt;
  if (machine) await store.saveMachine(machine);
  await store.saveRun(run);
  await store.saveTrials([trial]);
  await store.saveSamples(id, experiment, samples);
  const { values } = dataFileValues(experiment, parseExactJson(data), { samples });
  await store.saveValues({ runId: id, task: experiment, at, values });
}

/** The run of an import that came to its end on disk, but not in the index. */
async function journalledRun(file: string, id: string, disk: Disk): Promise<Run | undefined> {
  const text = await disk.readText(file);
  if (text === undefined) return undefined;
  try {
    return readJournal(id, text).run;
  } catch {
    return undefined; // cut off by a crash: it is written anew
  }
}

const MAX_WARNINGS = 5;

function newRun(imported: ImportedRun, { id, project, labels }: OnePlace): Run {
  const { failed, at, experiment } = imported;
  const more = failed.length - MAX_WARNINGS;
  const machine = machineOf(imported);
  return {
    ...{ id, kind: 'import', project, label: labels.take(at), state: 'finished', startedAt: at },
    ...(machine && { machineId: machine.id }),
    order: [experiment],
    origin: 'imported',
    warnings: [
      ...failed.slice(0, MAX_WARNINGS),
      ...(more > 0 ? [`${more} more results could not be read`] : []),
    ],
  };
}

function trialOf({ experiment, commits, file, format, samples }: ImportedRun, run: Run): Trial {
  const message = `${samples.length} series read from ${file} as ${format}`;
  const { id: runId, startedAt } = run;
  return { runId, task: experiment, kind: 'experiment', state: 'succeeded', message, startedAt, commits };
}

function machineOf({ machine }: ImportedRun): Machine | undefined {
  return machine && { id: sha256(JSON.stringify(machine)).slice(0, 12), ...machine };
}

/** As a night would leave it. Spreads are left out where each benchmark gave one value. */
function dataOf({ samples, commits, branch }: ImportedRun, { label }: Run) {
  const { detailed, ...medians } = samplesToData(samples);
  const isSingle = samples.every(({ values }) => values.length === 1);
  const { tvm, ...others } = commits;
  return {
    timestamp: label.split('-').slice(0, 4).join('-'),
    ...(tvm !== undefined && { tvm_hash: tvm }),
    ...(Object.keys(others).length > 0 && { sources: others }),
    ...(branch !== undefined && !Object.hasOwn(medians, 'branch') && { branch }),
    ...medians,
    ...(!isSingle && detailed !== undefined && { detailed }),
  };
}

interface Written {
  readonly run: Run;
  readonly trial: Trial;
  readonly machine: Machine | undefined;
}

function journalOf({ file, format, failed, skipped, branch }: ImportedRun, written: Written): string {
  const { run, trial, machine } = written;
  const events: readonly JournalEvent[] = [
    { type: 'begin', run, ...(machine && { machine }), options: { build: false } },
    { type: 'import', ...{ file, format, failed, skipped }, ...(branch !== undefined && { branch }) },
    { type: 'end', run, trials: [trial] },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Labels that name no run of the home yet. */
export interface FreeLabels {
  take(at: number): string;
}

const ALL = 10_000_000;

async function freeLabels(store: Store, clock: Pick<Clock, 'wall'>): Promise<FreeLabels> {
  const taken = new Set((await store.latestRuns({ limit: ALL })).map(({ label }) => label));
  // A history may have thousands of runs in one minute: do not count from the beginning for each.
  const counts = new Map<string, number>();
  return {
    take(at) {
      const base = nightLabel(clock.wall(at));
      let count = counts.get(base) ?? 0;
      let label: string;
      do label = ++count === 1 ? base : `${base}-${count}`;
      while (taken.has(label));
      counts.set(base, count);
      taken.add(label);
      return label;
    },
  };
}
