import { type ExperimentAttendance, findLostExperiment } from '../../core/judge/lost-experiment.ts';
import type { ChangeEvent } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import { isDetail } from '../read-values.ts';
import type { RuleBook } from './rules.ts';

export type AbsenceEvent = Extract<ChangeEvent, { type: 'missing' | 'returned' }>;

interface Circumstances {
  readonly store: Store;
  readonly rules: RuleBook;
  readonly now: number;
}

const MANY = 1_000_000;

/** Experiments that fail each night, or that nights go on without. */
export async function lostExperiments(
  watched: ReadonlyMap<string, ExperimentAttendance['trials']>,
  nights: readonly number[],
  { store, rules, now }: Circumstances,
): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  for (const [experiment, trials] of watched) {
    const lost = rules.isInactive(experiment) ? undefined : findLostExperiment({ trials, nights });
    if (!lost) continue;
    const all = await store.series({ experiment, limit: MANY });
    const count = all.filter(
      ({ path }) => !isDetail({ path }) && !rules.isIgnored({ kind: 'value', experiment, path }),
    ).length;
    if (count > 0)
      events.push({ type: 'missing', at: now, series: { kind: 'experiment', experiment }, ...lost, count });
  }
  return events;
}

/** All series of an experiment that stopped in the same night are one absence; of one that is known to be away, none. */
export function asExperiments(
  events: readonly AbsenceEvent[],
  newestOf: ReadonlyMap<string, number>,
  isAway: (experiment: string) => boolean,
): readonly ChangeEvent[] {
  const whole = new Map<string, Extract<ChangeEvent, { type: 'missing' }>>();
  const others: ChangeEvent[] = [];
  for (const event of events) {
    const { series } = event;
    const experiment = series.kind === 'value' ? series.experiment : undefined;
    if (event.type === 'returned' || experiment === undefined) others.push(event);
    else if (isAway(experiment)) continue;
    else if (event.lastAt < (newestOf.get(experiment) ?? Infinity)) others.push(event);
    else {
      const count = (whole.get(experiment)?.count ?? 0) + 1;
      whole.set(experiment, { ...event, series: { kind: 'experiment', experiment }, count });
    }
  }
  return [...others, ...whole.values()];
}
