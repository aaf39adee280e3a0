import type { Store } from '../../../home/core/store.ts';
import type { ExperimentAttendance } from '../../core/absences/lost-experiment.ts';

export type Trials = ExperimentAttendance['trials'];

/** Which runs brought values of an experiment, oldest first. */
export interface Presence {
  readonly nights: Trials;
  readonly imports: Trials;
}

/** The newest nights and imports, and which experiments had values in them. */
export interface Attendance {
  /** Starts of nights, oldest first. */
  readonly nights: readonly number[];
  /** Starts of imports. */
  readonly imports: readonly { readonly experiment: string; readonly at: number }[];
  readonly byExperiment: ReadonlyMap<string, Presence>;
}

/** What stopped before these runs is not reported: it was dropped on purpose. */
const NEWEST = 30;
/** Imports have an experiment each: enough for thirty of each of thirty experiments. */
const NEWEST_IMPORTS = 1_000;

export async function readAttendance(store: Store): Promise<Attendance> {
  const nights = await store.latestRuns({ limit: NEWEST, kind: 'night' });
  const imports = await store.latestRuns({ limit: NEWEST_IMPORTS, kind: 'import' });
  const startOf = new Map(nights.map(({ id, startedAt }) => [id, startedAt]));
  const byExperiment = new Map<string, Record<keyof Presence, Trials[number][]>>();
  const presence = (experiment: string) => {
    const known = byExperiment.get(experiment) ?? { nights: [], imports: [] };
    byExperiment.set(experiment, known);
    return known;
  };
  for (const { kind, state, task, runId } of await store.trialsOf(nights.map(({ id }) => id)))
    if (kind === 'experiment') presence(task).nights.push({ at: startOf.get(runId) ?? 0, runId, state });
  const came = imports.flatMap(({ id, startedAt, order: [experiment] }) =>
    experiment === undefined ? [] : [{ experiment, at: startedAt, runId: id }],
  );
  for (const { experiment, at, runId } of came) {
    const list = presence(experiment).imports;
    if (list.length < NEWEST) list.push({ at, runId, state: 'succeeded' });
  }
  for (const lists of byExperiment.values())
    for (const list of [lists.nights, lists.imports]) list.sort((a, b) => a.at - b.at);
  return {
    nights: nights.map(({ startedAt }) => startedAt).sort((a, b) => a - b),
    imports: came,
    byExperiment,
  };
}

/** Nights or imports: those that the newest value of the experiment is of. */
export function isImported({ nights, imports }: Presence): boolean {
  return (imports.at(-1)?.at ?? -Infinity) > (nights.at(-1)?.at ?? -Infinity);
}
