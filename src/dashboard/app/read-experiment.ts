import { readSummary, type Summary } from '../../home/app/result-files.ts';
import type { Absence, FollowedChange } from '../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { RECENT_RUNS } from '../../home/core/home-pages.ts';
import type { Machine, Run, StageResult, Trial } from '../../home/core/run.ts';
import type { Outcome, Store } from '../../home/core/store.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { joinPath, whyInvalidName } from '../../platform/core/path.ts';
import { type GraphList, listGraphs } from './runs/result-files.ts';

/** What the page of one experiment shows beside the histories of its values (see read-history.ts). */
export interface ExperimentView {
  readonly project: string;
  readonly name: string;
  readonly title?: string;
  /** The newest run it was part of, with its stages. */
  readonly newest?: NewestTrial;
  /** Of its values: open ones, the largest first. */
  readonly changes: readonly FollowedChange[];
  /** Commits of the runs with which the largest changes began, by run. */
  readonly commits: Readonly<Record<string, Trial['commits']>>;
  /** Series without new values. */
  readonly absences: readonly Absence[];
  readonly summary: Summary;
  readonly graphs: GraphList;
  /** Newest first. */
  readonly recent: readonly RecentRun[];
}

export interface NewestTrial {
  readonly run: Run;
  readonly trial: Trial;
  readonly stages: readonly StageResult[];
  readonly machine?: Machine;
}

export interface RecentRun extends Outcome {
  /** Its data file, below the folder of the experiment; absent where there is none. */
  readonly data?: { readonly file: string; readonly size: number };
}

interface ExperimentEffects {
  readonly store: Store;
  readonly disk: Disk;
}

const CHANGES = 1_000;

/** Undefined when there is no experiment of that name. */
export async function readExperiment(
  { home, name }: { readonly home: string; readonly name: string },
  effects: ExperimentEffects,
): Promise<ExperimentView | undefined> {
  if (whyInvalidName(name) !== undefined) return undefined;
  const { store, disk } = effects;
  const outcomes = (await store.outcomes({ experiment: name, limit: RECENT_RUNS })).toReversed();
  if (outcomes.length === 0 && (await store.series({ experiment: name, limit: 1 })).length === 0)
    return undefined;
  const newest = outcomes[0] && (await newestTrial(outcomes[0].runId, name, store));
  const changes = (await store.changes({ experiment: name, isOpen: true, limit: CHANGES })).toSorted(
    (a, b) => sizeOf(b) - sizeOf(a),
  );
  const absences = await store.absences();
  return {
    project: newest?.run.project ?? '',
    name,
    ...(newest?.trial.title !== undefined && { title: newest.trial.title }),
    ...(newest && { newest }),
    changes,
    commits: await commitsOf(changes, name, store),
    absences: absences.filter(({ series }) => 'experiment' in series && series.experiment === name),
    summary: await readSummary(home, name, disk),
    graphs: await listGraphs(home, name, disk),
    recent: await withData(outcomes, { folder: homeLayout(home).data(name), disk }),
  };
}

async function newestTrial(runId: string, name: string, store: Store): Promise<NewestTrial | undefined> {
  const run = await store.run(runId);
  const trials = await store.trialsOf([runId]);
  const trial = trials.find(({ task, kind }) => task === name && kind === 'experiment');
  if (!run || !trial) return undefined;
  const stages = await store.stagesOf(runId);
  const machine = run.machineId === undefined ? undefined : await store.machine(run.machineId);
  return {
    run,
    trial,
    stages: stages.filter(({ task, kind }) => task === name && kind === 'experiment'),
    ...(machine && { machine }),
  };
}

function sizeOf({ shift }: FollowedChange): number {
  return Math.abs(shift.relative?.change ?? 0);
}

/** Of the largest of each direction: those are named in the first sentence. */
async function commitsOf(
  changes: readonly FollowedChange[],
  name: string,
  store: Store,
): Promise<ExperimentView['commits']> {
  const found: Record<string, Trial['commits']> = {};
  for (const direction of ['worse', 'better', 'unknown'] as const) {
    const change = changes.find((one) => one.direction === direction);
    if (!change) continue;
    const near = await store.outcomes({ experiment: name, from: change.at, to: change.at, limit: 100 });
    const outcome = near.find(({ runId }) => runId === change.runId);
    if (outcome) found[change.runId] = outcome.commits;
  }
  return found;
}

async function withData(
  outcomes: readonly Outcome[],
  { folder, disk }: { readonly folder: string; readonly disk: Disk },
): Promise<readonly RecentRun[]> {
  const found: RecentRun[] = [];
  for (const outcome of outcomes) {
    const file = `data_${outcome.label}.json`;
    const facts = whyInvalidName(file) === undefined ? await disk.stat(joinPath(folder, file)) : undefined;
    found.push(facts?.type === 'file' ? { ...outcome, data: { file, size: facts.size } } : outcome);
  }
  return found;
}
