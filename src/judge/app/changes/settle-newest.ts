import type { SeenChange } from '../../core/changes/judge-series.ts';
import type { NightKey } from '../../core/changes/night-of.ts';
import { judgeMany } from '../../core/newest/judge-many.ts';
import type { NewestInput } from '../../core/newest/judge-newest.ts';
import type { SeriesInHand } from './series-to-judge.ts';

/** What the newest value of one series says. */
export interface NewestShift {
  readonly from: Omit<SeriesInHand, 'history'>;
  /** The newest value and those of its level before it. */
  readonly input: NewestInput;
  /** A change that it may be. */
  readonly candidate?: SeenChange;
  /** Run at which the candidate begins. */
  readonly runId: string;
  readonly at: number;
  /** Of the first value of the series, and of the newest. */
  readonly firstAt: number;
  readonly newestAt: number;
  readonly newestRunId: string;
  /** The value before the newest one. */
  readonly previous?: NightKey;
}

export interface SettledShifts {
  readonly kept: readonly NewestShift[];
  /** Would be a change if it were the only series: among so many, some look like one by chance. */
  readonly heldBack: readonly NewestShift[];
}

/**
 * Decides over the newest values of all series of a run together: how many alarms chance alone would raise shows only
 * there. What a machine did to all of them has been taken out before.
 */
export function settleNewest(shifts: readonly NewestShift[], falseAlarms: number | undefined): SettledShifts {
  const candidates = shifts.filter(({ candidate }) => candidate !== undefined);
  if (candidates.length === 0) return { kept: [], heldBack: [] };
  const options = falseAlarms === undefined ? {} : { falseAlarms };
  const { verdicts } = judgeMany(
    shifts.map((shift) => ({ ...shift.input, id: shift })),
    options,
  );
  const held = new Set(verdicts.filter(({ isHeldBack }) => isHeldBack).map(({ id }) => id));
  return {
    kept: candidates.filter((shift) => !held.has(shift)),
    heldBack: candidates.filter((shift) => held.has(shift)),
  };
}
