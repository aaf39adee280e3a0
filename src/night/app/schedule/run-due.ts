import type { Schedule } from '../../../home/core/home.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Timetable } from '../../../platform/core/timetable.ts';
import {
  type NightOutcome,
  type ScheduleEffects,
  type ScheduleState,
  writeScheduleState,
} from './schedule-state.ts';

export interface Due {
  readonly plan: Plan & { readonly state: 'catch-up' };
  readonly state: ScheduleState;
  /** The newest commits of the sources, where they were read. */
  readonly commits?: Readonly<Record<string, string>> | undefined;
  /** Sources whose new commit started the night. */
  readonly news?: readonly string[];
}

/** Pulls where wanted, runs the night, and remembers that it did. */
export async function runDue(home: string, { plan, state, commits, news }: Due, effects: ScheduleEffects) {
  const { clock, signal, report, pull } = effects;
  report({ type: 'night-started', plannedAt: plan.plannedAt, missed: plan.missed, ...(news && { news }) });
  const warn = (message: string) => report({ type: 'warning', message });
  const pullWarning = pull && (await pullFirst({ clock, signal, pull, report: warn }));
  if (signal.aborted) return { state, outcome: INTERRUPTED };
  if (pullWarning !== undefined) warn(pullWarning);

  const { endedAt: _, ...rest } = state;
  const started: ScheduleState = {
    ...rest,
    plannedAt: plan.plannedAt,
    startedAt: clock.now(),
    ...(commits && { commits }),
  };
  await remember(home, started, effects);
  const outcome = await runSafely(effects, pullWarning);
  report({ type: 'night-ended', ...outcome });
  if (signal.aborted) return { state: started, outcome };
  const ended = { ...started, endedAt: clock.now() };
  await remember(home, ended, effects);
  return { state: ended, outcome };
}

const INTERRUPTED: NightOutcome = { exitCode: 130, message: 'interrupted before it began' };

async function runSafely(
  { runNight }: ScheduleEffects,
  pullWarning: string | undefined,
): Promise<NightOutcome> {
  try {
    return await runNight(pullWarning === undefined ? {} : { pullWarning });
  } catch (error) {
    return { exitCode: 1, message: messageOf(error) };
  }
}

/** What cannot be written is kept in memory: a full disk must not make the schedule run the same night again. */
export async function remember(
  home: string,
  state: ScheduleState,
  { disk, report }: ScheduleEffects,
): Promise<void> {
  try {
    await writeScheduleState(home, state, disk);
  } catch (error) {
    report({ type: 'warning', message: `The state of the schedule was not saved. ${messageOf(error)}` });
  }
}

const RETRIES = 3;
/** Long enough for a restart of a router or a server, short for a night. */
const PAUSE_MS = 30_000;

export interface PullEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  pull(): Promise<void>;
  report(message: string): void;
}

/** Pulls, and tries again three times; what remains is a warning: the night runs with what is there. */
async function pullFirst({ clock, signal, pull, report }: PullEffects): Promise<string | undefined> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await pull();
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      const message = messageOf(error);
      if (attempt === RETRIES) return `Not pulled, so this night measures what was there before. ${message}`;
      report(
        `The pull failed; trying again in ${PAUSE_MS / 1000} s (${attempt + 1} of ${RETRIES}). ${message}`,
      );
      await clock.sleep(PAUSE_MS, signal);
    }
  }
  return undefined;
}

export interface PlanRequest {
  readonly schedule: Schedule;
  readonly now: number;
  readonly lastStartedAt?: number | undefined;
  /** From when on the schedule counts: what was planned until then is dealt with. */
  readonly lastPlannedAt?: number | undefined;
}

export type Plan =
  /** A night is due. `missed` planned times have passed, this one included; they become one night. */
  | { readonly state: 'catch-up'; readonly missed: number; readonly plannedAt: number }
  /** Without a time: only new commits start a night. */
  | { readonly state: 'wait'; readonly until?: number };

/** More are not counted: a schedule of every minute on a machine that slept for a month. */
const MAX_COUNTED = 1_000;

/** When the next night is: now, once for all that were missed, or at a later time. */
export function planNext(
  { schedule, now, lastStartedAt, lastPlannedAt }: PlanRequest,
  timetable: Timetable,
): Plan {
  const since = Math.max(lastStartedAt ?? lastPlannedAt ?? now, lastPlannedAt ?? lastStartedAt ?? now);
  const { cron, timezone } = schedule;
  if (cron === undefined) return { state: 'wait' };
  const [first] = timetable.next(cron, timezone, since, 1);
  if (first === undefined)
    throw new NightmarkError('SCHEDULE_INVALID', `The schedule "${cron}" names a day that never comes.`, {
      hint: 'Check its day of month and month: "0 2 30 2 *" would be the 30th of February.',
    });
  if (first > now) return { state: 'wait', until: first };
  const due = timetable.next(cron, timezone, since, MAX_COUNTED).filter((at) => at <= now);
  return { state: 'catch-up', missed: due.length, plannedAt: due.at(-1) ?? first };
}
