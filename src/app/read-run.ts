import type { Machine, Run, StageResult, Trial } from '../core/model/run.ts';
import type { Store } from '../core/ports/store.ts';
import { type NightView, nightView } from './read-overview.ts';

/** Everything the page of one run shows. */
export interface RunView extends NightView {
  /** In the order in which they were run; those the order does not name last. */
  readonly tasks: readonly TaskView[];
  readonly machine?: Machine;
}

export interface TaskView {
  readonly trial: Trial;
  readonly stages: readonly StageResult[];
}

/** Undefined when there is no run of that id. */
export async function readRun(id: string, store: Store): Promise<RunView | undefined> {
  const run = await store.run(id);
  if (!run) return undefined;
  const trials = await store.trialsOf([id]);
  const stages = groupStages(await store.stagesOf(id));
  const machine = run.machineId === undefined ? undefined : await store.machine(run.machineId);
  const tasks = inOrder(run, trials).map((trial) => ({ trial, stages: stages.get(keyOf(trial)) ?? [] }));
  return { ...nightView(run, trials), tasks, ...(machine && { machine }) };
}

function groupStages(stages: readonly StageResult[]): ReadonlyMap<string, readonly StageResult[]> {
  const groups = new Map<string, StageResult[]>();
  for (const stage of stages) {
    const key = keyOf(stage);
    groups.set(key, [...(groups.get(key) ?? []), stage]);
  }
  return groups;
}

function inOrder(run: Run, trials: readonly Trial[]): readonly Trial[] {
  const places = new Map(run.order.map((task, place) => [task, place]));
  const place = (trial: Trial) => places.get(trial.task) ?? run.order.length;
  const rank = (trial: Trial) => (trial.kind === 'experiment' ? 0 : 1);
  return trials.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b));
}

function keyOf({ kind, task }: { readonly kind: string; readonly task: string }): string {
  return `${kind} ${task}`;
}
