import { adjustedPValues } from '../../../stats/false-discovery.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { judgeBesideMachine } from './beside-machine.ts';
import { isSuspicion } from './confirm.ts';
import {
  judgePrepared,
  type NewestInput,
  type NewestOptions,
  type PreparedNewest,
  prepareNewest,
} from './judge-newest.ts';
import type { MachineEvent, MachineEventOptions } from './machine-events.ts';
import { pooledPriors } from './noise-pool.ts';
import { NOISE_PRIOR, type NoisePrior } from './value-noise.ts';

/** One of many series that got a new value in the same run. */
export interface ManySeries<Id> extends NewestInput {
  readonly id: Id;
  /**
   * Series of the same group are measured in the same way, such as all times of an experiment on one machine: how noisy
   * the others are helps where its own history is short. Absent: those of its scope; without one, its own history alone.
   */
  readonly group?: string;
  /** How noisy it may be, where that is known already; absent: as its group shows. */
  readonly prior?: NoisePrior;
  /** Series of the same scope are moved together by their machine, such as all times on it; absent: none are. */
  readonly scope?: string;
  /** Series of one measurement, such as its mean and its median, count once for what the machine did. */
  readonly benchmark?: string;
}

export interface ManyOptions extends Partial<Omit<NewestOptions, 'prior'>> {
  /** Fraction of the reported changes that may be false. */
  readonly falseDiscoveries?: number;
  readonly machine?: Partial<MachineEventOptions>;
}

export interface JudgedMany<Id> {
  /** In the order given. */
  readonly verdicts: readonly (NewestVerdict & { readonly id: Id; readonly isHeldBack: boolean })[];
  readonly machines: readonly (MachineEvent & { readonly scope: string })[];
  /** Every series is one of these. */
  readonly counts: {
    readonly reported: number;
    /** Look changed, but among so many series some do by chance. */
    readonly heldBack: number;
    readonly same: number;
    readonly undecided: number;
    /** Too little history or no value. */
    readonly notJudged: number;
  };
}

/** Default for the fraction of reported changes that may be false. */
export const FALSE_DISCOVERIES = 0.05;

/** Judges the newest values of many series, so that few of the changes it reports are false. */
export function judgeMany<Id>(series: readonly ManySeries<Id>[], options: ManyOptions = {}): JudgedMany<Id> {
  const { falseDiscoveries = FALSE_DISCOVERIES, machine = {}, ...newest } = options;
  const prepared = series.map(prepareNewest);
  const priors = priorsOf(series, prepared);
  const members = series.map((one, place) => {
    const [own, prior] = [prepared[place] as PreparedNewest, priors[place] as NoisePrior]; // as many as series
    return { series: one, prepared: own, prior, alone: judgePrepared(own, { ...newest, prior }) };
  });
  const { verdicts: found, machines } = judgeBesideMachine(members, { newest, machine });
  const adjusted = adjustedPValues(found.map(({ p }) => p));
  const verdicts = found.map((verdict, place) => {
    const id = (series[place] as ManySeries<Id>).id; // verdicts are as many as series
    const isHeldBack = isSuspicion(verdict) && (adjusted[place] ?? 1) > falseDiscoveries;
    return { ...(isHeldBack ? heldBack(verdict, series.length) : verdict), id, isHeldBack };
  });
  return { verdicts, machines, counts: countOf(verdicts) };
}

/** From the series of its group; the built-in one for a series without a group or without a history. */
function priorsOf(
  series: readonly ManySeries<unknown>[],
  prepared: readonly PreparedNewest[],
): readonly NoisePrior[] {
  const groups = series.map(({ prior, scope, group = scope }) => (prior ? undefined : group));
  const pooled = pooledPriors(groups, (place) => prepared[place]?.placed?.likelihood);
  return series.map(({ prior }, place) => prior ?? pooled[place] ?? NOISE_PRIOR);
}

function heldBack(verdict: NewestVerdict, count: number): NewestVerdict {
  const note = `Held back: among ${count} series one may look like this by chance.`;
  return { ...verdict, verdict: 'undecided', notes: [...verdict.notes, note] };
}

function countOf(
  verdicts: readonly (NewestVerdict & { readonly isHeldBack: boolean })[],
): JudgedMany<unknown>['counts'] {
  const counts = { reported: 0, heldBack: 0, same: 0, undecided: 0, notJudged: 0 };
  for (const verdict of verdicts) {
    if (verdict.p === undefined) counts.notJudged++;
    else if (verdict.isHeldBack) counts.heldBack++;
    else if (isSuspicion(verdict)) counts.reported++;
    else if (verdict.verdict === 'same') counts.same++;
    else counts.undecided++;
  }
  return counts;
}
