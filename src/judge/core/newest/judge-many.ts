import { adjustedPValues } from '../../../stats/false-discovery.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { isSuspicion } from './confirm.ts';
import { judgeBesideMachine } from './judge-beside-machine.ts';
import type { NewestInput, NewestOptions } from './judge-newest.ts';
import { judgeNewest } from './judge-newest.ts';
import type { MachineEvent, MachineEventOptions } from './machine-events.ts';

/** One of many series that got a new value in the same run. */
export interface ManySeries<Id> extends NewestInput {
  readonly id: Id;
  /** Series of the same scope are moved together by their machine, such as all times on it; absent: none are. */
  readonly scope?: string;
  /** Series of one measurement, such as its mean and its median, have one voice in what the machine did. */
  readonly voice?: string;
}

export interface ManyOptions extends Partial<NewestOptions> {
  /** Part of the told changes that may be false. */
  readonly falseDiscoveries?: number;
  readonly machine?: Partial<MachineEventOptions>;
}

export interface JudgedMany<Id> {
  /** In the order given. */
  readonly verdicts: readonly (NewestVerdict & { readonly id: Id; readonly isHeldBack: boolean })[];
  readonly machines: readonly (MachineEvent & { readonly scope: string })[];
  /** Every series is one of these. */
  readonly counts: {
    readonly told: number;
    /** Looked changed, but among so many series some do by chance. */
    readonly heldBack: number;
    readonly same: number;
    readonly undecided: number;
    /** Too little history or no value. */
    readonly notJudged: number;
  };
}

/** Part of the told changes that may be false, where nothing else is said. */
export const FALSE_DISCOVERIES = 0.05;

/** Judges the newest values of many series, so that of the changes it tells few are false. */
export function judgeMany<Id>(series: readonly ManySeries<Id>[], options: ManyOptions = {}): JudgedMany<Id> {
  const { falseDiscoveries = FALSE_DISCOVERIES, machine = {}, ...newest } = options;
  const alone = series.map((one) => judgeNewest(one, newest));
  const { verdicts: found, machines } = judgeBesideMachine({ series, alone }, { newest, machine });
  const adjusted = adjustedPValues(found.map(({ p }) => p));
  const verdicts = found.map((verdict, place) => {
    const id = (series[place] as ManySeries<Id>).id; // verdicts are as many as series
    const isHeldBack = isSuspicion(verdict) && (adjusted[place] ?? 1) > falseDiscoveries;
    return { ...(isHeldBack ? heldBack(verdict, series.length) : verdict), id, isHeldBack };
  });
  return { verdicts, machines, counts: countOf(verdicts) };
}

function heldBack(verdict: NewestVerdict, count: number): NewestVerdict {
  const note = `Held back: among ${count} series one may look like this by chance.`;
  return { ...verdict, verdict: 'undecided', notes: [...verdict.notes, note] };
}

function countOf(
  verdicts: readonly (NewestVerdict & { readonly isHeldBack: boolean })[],
): JudgedMany<unknown>['counts'] {
  const counts = { told: 0, heldBack: 0, same: 0, undecided: 0, notJudged: 0 };
  for (const verdict of verdicts) {
    if (verdict.p === undefined) counts.notJudged++;
    else if (verdict.isHeldBack) counts.heldBack++;
    else if (isSuspicion(verdict)) counts.told++;
    else if (verdict.verdict === 'same') counts.same++;
    else counts.undecided++;
  }
  return counts;
}
