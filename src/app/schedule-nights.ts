import { messageOf } from '../core/errors.ts';
import type { Schedule } from '../core/model/home.ts';
import { holdSchedule } from './schedule/hold-schedule.ts';
import { type Plan, planNext } from './schedule/plan-next.ts';
import { remember, runDue } from './schedule/run-due.ts';
import type { NightOutcome, ScheduleEffects } from './schedule/schedule-effects.ts';
import { readScheduleState, type ScheduleState, settleState } from './schedule/schedule-state.ts';

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
  | { readonly state: 'not-due'; readonly until: number; readonly schedule: Schedule };

/** Runs a night if one is due, for cron and timers; the very first time the schedule begins to count. */
export async function runDueNight(home: string, effects: ScheduleEffects): Promise<OnceResult> {
  return holdSchedule(home, effects, async () => {
    const { schedule, state: before } = await begin(home, effects);
    const state = await settled(home, before, schedule, effects);
    const plan = planFor(schedule, state, effects);
    if (plan.state === 'wait') return { state: 'not-due', until: plan.until, schedule };
    const { outcome } = await runDue(home, { plan, state }, effects);
    return { state: 'ran', outcome };
  });
}

const STEP_MS = 60_000;

/**
 * In steps, and the clock decides, not the timer: timers stand still while a machine sleeps, and clocks are set.
 * Returns early when the clock was set back, so that the plan is made anew.
 */
async function waitUntil(until: number, { clock, signal, meanwhile }: ScheduleEffects): Promise<void> {
  let last = clock.now();
  while (last < until && !signal.aborted) {
    await meanwhile?.();
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

async function reread(schedule: Schedule, { readSchedule, report }: ScheduleEffects): Promise<Schedule> {
  try {
    return await readSchedule();
  } catch (error) {
    report({ type: 'warning', message: `The schedule stays as it was. ${messageOf(error)}` });
    return schedule;
  }
}
