import type { Schedule } from '../../../home/core/home.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Timetable } from '../../../platform/core/timetable.ts';

export interface PlanQuestion {
  readonly schedule: Schedule;
  readonly now: number;
  readonly lastStartedAt?: number | undefined;
  /** From when on the schedule counts: what was planned until then is dealt with. */
  readonly lastPlannedAt?: number | undefined;
}

export type Plan =
  /** A night is due. `missed` planned moments went by, the one that is now included; they are one night. */
  | { readonly state: 'catch-up'; readonly missed: number; readonly plannedAt: number }
  /** Without a moment: only new commits begin a night. */
  | { readonly state: 'wait'; readonly until?: number };

/** More are not counted: a schedule of every minute on a machine that slept for a month. */
const MAX_COUNTED = 1_000;

/** When the next night is: now, once, however many were missed, or at a moment to come. */
export function planNext(
  { schedule, now, lastStartedAt, lastPlannedAt }: PlanQuestion,
  timetable: Timetable,
): Plan {
  const since = Math.max(lastStartedAt ?? lastPlannedAt ?? now, lastPlannedAt ?? lastStartedAt ?? now);
  const { cron, timezone } = schedule;
  if (cron === undefined) return { state: 'wait' };
  const [first] = timetable.next(cron, timezone, since, 1);
  if (first === undefined)
    throw new NightmarkError('SCHEDULE_INVALID', `The schedule "${cron}" names a day that never comes.`, {
      hint: 'Look at its day of month and month: "0 2 30 2 *" would be the 30th of February.',
    });
  if (first > now) return { state: 'wait', until: first };
  const due = timetable.next(cron, timezone, since, MAX_COUNTED).filter((moment) => moment <= now);
  return { state: 'catch-up', missed: due.length, plannedAt: due.at(-1) ?? first };
}
