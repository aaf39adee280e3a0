import type { ChangeRecord } from '../../../home/core/changes/change.ts';
import type { Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** The two commits between which a change appeared. */
export interface Neighbours {
  readonly experiment: string;
  /** The source that changed. */
  readonly source: string;
  readonly before: string;
  readonly after: string;
}

/** The commits of the run at which the change begins and of the last run before it. */
export async function findNeighbours(
  { series, runId, lastRunId, sureRunId = runId, at, id }: ChangeRecord,
  store: Pick<Store, 'latestRuns' | 'trialsOf'>,
): Promise<Neighbours> {
  if (series.kind === 'machine')
    throw noSource(id, 'the machine changed, and no commit of a source is to blame');
  if (series.kind !== 'value')
    throw noSource(id, 'it is a change of a KPI, whose tests have no source of their own');
  const [here] = trialsOf(await store.trialsOf([sureRunId]), series.experiment);
  if (!here) throw noSource(id, `the run ${sureRunId} has no successful trial of ${series.experiment}`);
  const ids =
    lastRunId === undefined
      ? (await store.latestRuns({ limit: LOOK_BACK, before: at })).map((run) => run.id)
      : [lastRunId];
  const trials = trialsOf(await store.trialsOf(ids), series.experiment);
  const last = ids.flatMap((run) => trials.filter((trial) => trial.runId === run))[0];
  if (!last) throw noSource(id, `there is no successful trial of ${series.experiment} before it`);
  const changed = Object.keys(here.commits).filter((name) => {
    return last.commits[name] !== undefined && here.commits[name] !== last.commits[name];
  });
  const [source, ...others] = changed;
  if (source === undefined)
    throw noSource(id, 'no source changed between the two runs: check the machine and the settings');
  if (others.length > 0) throw noSource(id, `several sources changed at once: ${changed.join(', ')}`);
  return {
    ...{ experiment: series.experiment, source },
    before: last.commits[source] ?? '',
    after: here.commits[source] ?? '',
  };
}

/** Nights that may have failed in between. */
export const LOOK_BACK = 31;

export function trialsOf(trials: readonly Trial[], experiment: string): readonly Trial[] {
  return trials.filter(
    ({ task, kind, state }) => task === experiment && kind === 'experiment' && state === 'succeeded',
  );
}

export function noSource(id: string, reason: string): NightmarkError {
  return new NightmarkError(
    'BISECT_NOT_CONFIRMABLE',
    `The change ${id} cannot be confirmed by a duet: ${reason}.`,
    {
      hint: 'More nights will confirm it or not; or compare by hand: nightmark duet "command A" "command B".',
    },
  );
}
