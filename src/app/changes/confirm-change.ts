import type { SearchOptions } from '../../core/bisect/search.ts';
import { NightmarkError } from '../../core/errors.ts';
import type { ChangeRecord } from '../../core/model/change.ts';
import type { Trial } from '../../core/model/run.ts';
import type { Judgement } from '../../core/model/verdict.ts';
import type { Store } from '../../core/ports/store.ts';

/** The two commits between which a change appeared. */
export interface Neighbours {
  readonly experiment: string;
  /** The source that changed. */
  readonly source: string;
  readonly before: string;
  readonly after: string;
}

/** What a duet of the two commits says of a change. */
export interface Confirmation extends Neighbours {
  /** withdrawn: the two commits are the same; unclear: too much noise, or another direction than the change had. */
  readonly state: 'confirmed' | 'withdrawn' | 'unclear';
  readonly judgement: Judgement;
  readonly notes: readonly string[];
}

export interface ConfirmEffects {
  readonly store: Pick<Store, 'latestRuns' | 'trialsOf'>;
  /** Runs the experiment on both commits in pairs until it is clear whether they differ. */
  duet(neighbours: Neighbours, options: SearchOptions): Promise<Judgement>;
}

/** Measures the two neighbouring commits of a change at the same moment: what is real shows again, chance does not. */
export async function confirmChange(record: ChangeRecord, effects: ConfirmEffects): Promise<Confirmation> {
  const neighbours = await findNeighbours(record, effects.store);
  const judgement = await effects.duet(neighbours, OPTIONS);
  const isTime = TIMES.has(record.unit);
  const notes = isTime
    ? []
    : [
        `A duet measures the time of the run command; the series is in ${record.unit || 'a unit of its own'}.`,
      ];
  return { ...neighbours, state: stateOf(record, judgement, isTime), judgement, notes };
}

/** The commits of the run at which the change begins and of the last run before it. */
export async function findNeighbours(
  { series, runId, at, id }: ChangeRecord,
  store: ConfirmEffects['store'],
): Promise<Neighbours> {
  if (series.kind === 'machine')
    throw noSource(id, 'the machine changed, and no commit of a source is to blame');
  if (series.kind !== 'value')
    throw noSource(id, 'it is a change of a KPI, whose tests have no source of their own');
  const [here] = trialsOf(await store.trialsOf([runId]), series.experiment);
  if (!here) throw noSource(id, `the run ${runId} has no successful trial of ${series.experiment}`);
  const runs = await store.latestRuns({ limit: LOOK_BACK, before: at });
  const trials = trialsOf(await store.trialsOf(runs.map((run) => run.id)), series.experiment);
  const last = runs.flatMap((run) => trials.filter((trial) => trial.runId === run.id))[0];
  if (!last) throw noSource(id, `there is no successful trial of ${series.experiment} before it`);
  const changed = Object.keys(here.commits).filter((name) => {
    return last.commits[name] !== undefined && here.commits[name] !== last.commits[name];
  });
  const [source, ...others] = changed;
  if (source === undefined)
    throw noSource(id, 'no source changed between the two runs: look at the machine and the settings');
  if (others.length > 0) throw noSource(id, `several sources changed at once: ${changed.join(', ')}`);
  return {
    ...{ experiment: series.experiment, source },
    before: last.commits[source] ?? '',
    after: here.commits[source] ?? '',
  };
}

/** What is confirmed stays so: a busy machine must not be believed after six pairs. */
const OPTIONS: SearchOptions = { certainty: 0.99, minEffect: 0.01 };
/** Nights that may have failed in between. */
const LOOK_BACK = 31;
const TIMES = new Set(['s', 'ms', 'us', 'µs', 'ns', 'min', 'h']);

function trialsOf(trials: readonly Trial[], experiment: string): readonly Trial[] {
  return trials.filter(
    ({ task, kind, state }) => task === experiment && kind === 'experiment' && state === 'succeeded',
  );
}

function stateOf(
  { before, after }: ChangeRecord,
  { verdict }: Judgement,
  isTime: boolean,
): Confirmation['state'] {
  if (verdict === 'same') return 'withdrawn';
  if (verdict === 'undecided') return 'unclear';
  return !isTime || (verdict === 'slower') === after > before ? 'confirmed' : 'unclear';
}

function noSource(id: string, reason: string): NightmarkError {
  return new NightmarkError(
    'BISECT_NOT_CONFIRMABLE',
    `The change ${id} cannot be confirmed by a duet: ${reason}.`,
    {
      hint: 'More nights will confirm it or not; or compare by hand: nightmark duet "command A" "command B".',
    },
  );
}
