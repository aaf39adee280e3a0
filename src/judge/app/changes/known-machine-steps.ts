import type { GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import {
  type MachineStep,
  machineMeasure,
  stepsTaken,
  type TakenStep,
  withoutSteps,
} from '../../core/changes/machine-part.ts';
import type { LoadedSeries } from '../series/series-to-judge.ts';

export interface KnownStep extends MachineStep {
  readonly machine: string;
  /** Found in a night: nights of a home are taken for those of one machine, whatever its name was. */
  readonly isOfNight: boolean;
}

/** By measure, oldest first. */
export type KnownSteps = ReadonlyMap<string, readonly KnownStep[]>;

/** Steps of machines in the ledger, without those that people marked as false. */
export async function knownSteps({ changes }: GrowingLedger, store: Store): Promise<KnownSteps> {
  const steps = new Map<string, KnownStep[]>();
  for (const { series, at, runId, after, state, withdrawnAt, hardware } of changes.values()) {
    if (series.kind !== 'machine' || hardware !== undefined || state === 'false' || withdrawnAt !== undefined)
      continue;
    const isOfNight = (await store.run(runId)) !== undefined;
    const list = steps.get(series.measure) ?? [];
    list.push({ at, factor: after, machine: series.machine, isOfNight });
    steps.set(series.measure, list);
  }
  for (const list of steps.values()) list.sort((a, b) => a.at - b.at);
  return steps;
}

export interface WithoutMachine extends LoadedSeries {
  /** What was removed. */
  readonly moved: readonly TakenStep[];
}

/** The series as the machine of today would have measured it: known steps of the machine are removed. */
export function withoutMachine(loaded: LoadedSeries, steps: KnownSteps): WithoutMachine {
  const { series, unit, better, history, machine } = loaded;
  const own = steps
    .get(machineMeasure(series, unit) ?? '')
    ?.filter((step) => step.machine === machine || (series.kind === 'value' && step.isOfNight));
  const moved = own === undefined ? [] : stepsTaken({ ...history, better }, own);
  return { ...loaded, moved, history: { ...history, values: withoutSteps(history.values, moved) } };
}
