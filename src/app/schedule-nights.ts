import { messageOf } from '../core/errors.ts';
import type { Schedule } from '../core/model/home.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Locks } from '../core/ports/lock.ts';
import type { Timetable } from '../core/ports/timetable.ts';
import type { CancelSignal } from '../core/signal.ts';
import type { JsonObject } from '../core/text/json.ts';
import { holdSchedule } from './schedule/hold-schedule.ts';
import { type Plan, planNext } from './schedule/plan-next.ts';
import { pullFirst } from './schedule/pull-first.ts';
import {
  readScheduleState,
  type ScheduleState,
  settleState,
  writeScheduleState,
} from './schedule/schedule-state.ts';

export interface ScheduleEffects {
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly disk: Disk;
  readonly signal: CancelSignal;
  readonly locks?: Locks;
  /** What a second schedule is told about this one. */
  readonly holder: JsonObject;
  /** Asked before the first night and after each: a pull may have changed it. */
  readSchedule(): Promise<Schedule>;
  runNight(facts: { readonly pullWarning?: string }): Promise<NightOutcome>;
  pull?(): Promise<void>;
  report(event: ScheduleEvent): void;
}

export interface NightOutcome {
  readonly exitCode: number;
  readonly message: string;
}

export type ScheduleEvent =
  | { readonly type: 'waiting'; readonly until: number; readonly schedule: Schedule }
  | { readonly type: 'night-started'; readonly plannedAt: number; readonly missed: number }
  | ({ readonly type: 'night-ended' } & NightOutcome)
  | { readonly type: 'warning'; readonly message: string };

/** Runs nights on their timetable until cancelled. A night that fails, in whatever way, does not end the schedule. */
export async function scheduleNights(home: string, effects: ScheduleEffects): Promise<void> {
  await holdSchedule(home, effects, async () => {
    let { schedule, state } = await begin(home, effects);
    let announced = 0;
    while (!effects.signal.aborted) {
      state = await settled(home, state, schedule, effects);
      const plan = planFor(schedule, state, effects);
      if (plan.state === 'catch-up') {
        ({ state } = await runDue(home, { plan, state }, effects));
        schedule = await reread(schedule, effects);
        continue;
      }
      if (plan.until !== announced) effects.report({ type: 'waiting', until: plan.until, schedule });
      announced = plan.until;
      await waitUntil(plan.until, effects);
    }
  });
}

export type OnceResult =
  | { readonly state: 'ran'; readonly outcome: NightOutcome }
  | { readonly state: 'not-due'; readonly until: number };

/** Runs a night if one is due, for cron and timers; the very first time the schedule begins to count. */
export async function runDueNight(home: string, effects: ScheduleEffects): Promise<OnceResult> {
  return holdSchedule(home, effects, async () => {
    const { schedule, state: before } = await begin(home, effects);
    const state = await settled(home, before, schedule, effects);
    const plan = planFor(schedule, state, effects);
    if (plan.state === 'wait') return { state: 'not-due', until: plan.until };
    const { outcome } = await runDue(home, { plan, state }, effects);
    return { state: 'ran', outcome };
  });
}

const STEP_MS = 60_000;

/**
 * In steps, and the clock decides, not the timer: timers stand still while a machine sleeps, and clocks are set.
 * Returns early when the clock was set back, so that the plan is made anew.
 */
async function waitUntil(until: number, { clock, signal }: ScheduleEffects): Promise<void> {
  let last = clock.now();
  while (last < until && !signal.aborted) {
    await clock.sleep(Math.min(STEP_MS, until - last), signal);
    const now = clock.now();
    if (now < last) return;
    last = now;
  }
}

async function begin(home: string, effects: ScheduleEffects) {
  const schedule = await effects.readSchedule();
  const state = await readScheduleState(home, effects.disk);
  if (state?.startedAt !== undefined && state.endedAt === undefined) {
    const message = `The last night did not end. "nightmark run ${home} --resume" completes it.`;
    effects.report({ type: 'warning', message });
  }
  return { schedule, state };
}

function planFor(
  schedule: Schedule,
  { startedAt, plannedAt }: ScheduleState,
  { clock, timetable }: ScheduleEffects,
): Plan {
  return planNext(
    { schedule, now: clock.now(), lastStartedAt: startedAt, lastPlannedAt: plannedAt },
    timetable,
  );
}

async function settled(
  home: string,
  state: ScheduleState | undefined,
  schedule: Schedule,
  effects: ScheduleEffects,
): Promise<ScheduleState> {
  const next = settleState(state, schedule, effects.clock.now());
  if (next !== state) await remember(home, next, effects);
  return next;
}

interface Due {
  readonly plan: Plan & { readonly state: 'catch-up' };
  readonly state: ScheduleState;
}

async function runDue(home: string, { plan, state }: Due, effects: ScheduleEffects) {
  const { clock, signal, report, pull } = effects;
  report({ type: 'night-started', plannedAt: plan.plannedAt, missed: plan.missed });
  const warn = (message: string) => report({ type: 'warning', message });
  const pullWarning = pull && (await pullFirst({ clock, signal, pull, report: warn }));
  if (signal.aborted) return { state, outcome: INTERRUPTED };
  if (pullWarning !== undefined) warn(pullWarning);

  const { endedAt: _, ...rest } = state;
  const started: ScheduleState = { ...rest, plannedAt: plan.plannedAt, startedAt: clock.now() };
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
async function remember(
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

async function reread(schedule: Schedule, { readSchedule, report }: ScheduleEffects): Promise<Schedule> {
  try {
    return await readSchedule();
  } catch (error) {
    report({ type: 'warning', message: `The schedule stays as it was. ${messageOf(error)}` });
    return schedule;
  }
}
