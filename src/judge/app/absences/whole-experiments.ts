import type { ChangeEvent } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { findLostExperiment, type LostExperiment } from '../../core/absences/lost-experiment.ts';
import { isSilent } from '../../core/absences/missing.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import { isDetail } from '../series/series-values.ts';
import { type Attendance, isImported, type Trials } from './attendance.ts';

export type AbsenceEvent = Extract<ChangeEvent, { type: 'missing' | 'returned' }>;

interface Circumstances {
  readonly store: Store;
  readonly rules: JudgingRules;
  readonly now: number;
}

const MANY = 1_000_000;

/** Experiments that fail each night, or that later nights do not run any more. */
export async function lostExperiments(
  { nights, imports, byExperiment }: Attendance,
  { store, rules, now }: Circumstances,
): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  for (const [experiment, presence] of byExperiment) {
    if (rules.isInactive(experiment)) continue;
    const others = () => [
      ...nights,
      ...imports.flatMap((other) => (other.experiment === experiment ? [] : [other.at])),
    ];
    const lost = isImported(presence)
      ? lostImport(presence.imports, others)
      : findLostExperiment({ trials: presence.nights, nights });
    if (!lost) continue;
    const count = await countLost(experiment, lost.lastAt, { store, rules });
    if (count > 0)
      events.push({ type: 'missing', at: now, series: { kind: 'experiment', experiment }, ...lost, count });
  }
  return events;
}

function lostImport(imports: Trials, others: () => readonly number[]): LostExperiment | undefined {
  const last = imports.at(-1);
  const times = imports.map(({ at }) => at);
  return last && isSilent({ times, others: others() })
    ? { lastAt: last.at, lastRunId: last.runId }
    : undefined;
}

/** Counts its series; 0 where one has a later value, since results of a partly failed experiment are kept. */
async function countLost(
  experiment: string,
  lastAt: number,
  { store, rules }: Pick<Circumstances, 'store' | 'rules'>,
): Promise<number> {
  const all = await store.series({ experiment, limit: MANY });
  const wanted = all.filter(
    ({ path }) => !isDetail({ path }) && !rules.isIgnored({ kind: 'value', experiment, path }),
  );
  for (const { id } of wanted) {
    const { times } = await store.history(id, { limit: 1 });
    if ((times.at(-1) ?? 0) > lastAt) return 0;
  }
  return wanted.length;
}

/** Series of an experiment that stopped in the same night are one absence; an experiment already reported gets none. */
export function asExperiments(
  events: readonly AbsenceEvent[],
  newestOf: ReadonlyMap<string, number>,
  isMissing: (experiment: string) => boolean,
): readonly ChangeEvent[] {
  const whole = new Map<string, Extract<ChangeEvent, { type: 'missing' }>>();
  const others: ChangeEvent[] = [];
  for (const event of events) {
    const { series } = event;
    const experiment = series.kind === 'value' ? series.experiment : undefined;
    if (event.type === 'returned' || experiment === undefined) others.push(event);
    else if (isMissing(experiment)) continue;
    else if (event.lastAt < (newestOf.get(experiment) ?? Infinity)) others.push(event);
    else {
      const count = (whole.get(experiment)?.count ?? 0) + 1;
      whole.set(experiment, { ...event, series: { kind: 'experiment', experiment }, count });
    }
  }
  return [...others, ...whole.values()];
}
