import type { SeenChange } from '../../core/changes/judge-series.ts';
import type { AlarmBudget } from '../../core/model/home.ts';
import { adjustedPValues } from '../../core/stats/false-discovery.ts';
import type { SeriesInHand } from './series-to-judge.ts';

/** What the newest value of one series says. */
export interface NewestShift {
  readonly from: Omit<SeriesInHand, 'history'>;
  /** Of its verdict; absent where there was too little to judge by. */
  readonly p?: number;
  /** A change that it may be. */
  readonly candidate?: SeenChange;
  /** Run at which the candidate begins. */
  readonly runId: string;
  readonly at: number;
  /** Days from one value to the next. */
  readonly cadenceDays: number;
}

export interface SettledShifts {
  readonly kept: readonly NewestShift[];
  /** Would be a change if it were the only series: among so many, some look like one by chance. */
  readonly heldBack: readonly NewestShift[];
}

/** Share of false ones among those that are told. */
const FALSE_DISCOVERIES = 0.05;

/**
 * Decides over the newest values of all series of a run together: this is where it can be seen that a hundred of them
 * are one event of the machine, and how many alarms chance alone would raise.
 */
export function settleNewest(shifts: readonly NewestShift[], budget: AlarmBudget | undefined): SettledShifts {
  const candidates = shifts.filter(({ candidate }) => candidate !== undefined);
  if (candidates.length === 0) return { kept: [], heldBack: [] };
  const isKept = budget ? withinBudget(shifts, budget) : discovered(shifts);
  return { kept: candidates.filter(isKept), heldBack: candidates.filter((shift) => !isKept(shift)) };
}

function discovered(shifts: readonly NewestShift[]): (shift: NewestShift) => boolean {
  const adjusted = adjustedPValues(shifts.map(({ p }) => p));
  const good = new Set(shifts.filter((_, index) => (adjusted[index] ?? 1) <= FALSE_DISCOVERIES));
  return (shift) => good.has(shift);
}

/** The alarms that are bearable until the next value comes, shared by all series. */
function withinBudget(
  shifts: readonly NewestShift[],
  { count, days }: AlarmBudget,
): (shift: NewestShift) => boolean {
  const tests = shifts.filter(({ p }) => p !== undefined).length;
  return ({ p = 1, cadenceDays }) => p <= (count * Math.min(cadenceDays, days)) / days / Math.max(tests, 1);
}
