import type { Store } from '../../../home/core/store.ts';
import type { ExperimentAttendance } from '../../core/absences/lost-experiment.ts';

export type Trials = ExperimentAttendance['trials'];

/** Which runs brought values of an experiment, oldest first. */
export interface Comings {
  readonly nights: Trials;
  readonly imports: Trials;
}

/** The newest nights and imports, and which experiments came with them. */
export interface Attendance {
  /** Starts of nights, oldest first. */
  readonly nights: readonly number[];
  /** Starts of imports. */
  readonly imports: readonly { readonly experiment: string; readonly at: number }[];
  readonly byExperiment: ReadonlyMap<string, Comings>;
}

/** What stopped before these was never followed, or is forgotten on purpose. */
const LOOKED_AT = 30;
/** Imports have an experiment each: enough for thirty of each of thirty experiments. */
const IMPORTS_LOOKED_AT = 1_000;

export async function readAttendance(store: Store): Promise<Attendance> {
  const nights = await store.latestRuns({ limit: LOOKED_AT, kind: 'night' });
  const imports = await store.latestRuns({ limit: IMPORTS_LOOKED_AT, kind: 'import' });
  const startOf = new Map(nights.map(({ id, startedAt }) => [id, startedAt]));
  const byExperiment = new Map<string, Record<keyof Comings, Trials[number][]>>();
  const comings = (experiment: string) => {
    const known = byExperiment.get(experiment) ?? { nights: [], imports: [] };
    byExperiment.set(experiment, known);
    return known;
  };
  for (const { kind, state, task, runId } of await store.trialsOf(nights.map(({ id }) => id)))
    if (kind === 'experiment') comings(task).nights.push({ at: startOf.get(runId) ?? 0, runId, state });
  const came = imports.flatMap(({ id, startedAt, order: [experiment] }) =>
    experiment === undefined ? [] : [{ experiment, at: startedAt, runId: id }],
  );
  for (const { experiment, at, runId } of came) {
    const list = comings(experiment).imports;
    if (list.length < LOOKED_AT) list.push({ at, runId, state: 'succeeded' });
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
export function isImported({ nights, imports }: Comings): boolean {
  return (imports.at(-1)?.at ?? -Infinity) > (nights.at(-1)?.at ?? -Infinity);
}
