import type { Schedule } from '../../../home/core/home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { type Due, type Plan, planNext, remember, runDue } from './run-due.ts';
import {
  type NightOutcome,
  readScheduleState,
  type ScheduleEffects,
  type ScheduleState,
  usableState,
} from './schedule-state.ts';

/** Runs nights on their timetable until cancelled. A night that fails, in whatever way, does not end the schedule. */
export async function scheduleNights(home: string, effects: ScheduleEffects): Promise<void> {
  await holdSchedule(home, effects, async () => {
    let { schedule, state } = await begin(home, effects);
    const watch = watchCommits(effects);
    let announced: Plan | undefined;
    while (!effects.signal.aborted) {
      state = await checkedState(home, state, schedule, effects);
      const plan = planFor(schedule, state, effects);
      if (plan.state === 'wait' && (announced?.state !== 'wait' || announced.until !== plan.until))
        effects.report({ type: 'waiting', ...untilOf(plan), schedule });
      announced = plan;
      const due = await dueNow(plan, { schedule, state }, { ...effects, watch });
      if (due) {
        ({ state } = await runDue(home, due, effects));
        schedule = await reread(schedule, effects);
        announced = undefined;
      } else if (plan.state === 'wait') await waitUntil(plan.until, schedule, effects);
    }
  });
}

export type OnceResult =
  | { readonly state: 'ran'; readonly outcome: NightOutcome }
  | { readonly state: 'not-due'; readonly until?: number; readonly schedule: Schedule };

/** Runs a night if one is due, for cron and timers; the very first time the schedule begins to count. */
export async function runDueNight(home: string, effects: ScheduleEffects): Promise<OnceResult> {
  return holdSchedule(home, effects, async () => {
    const { schedule, state: before } = await begin(home, effects);
    const state = await checkedState(home, before, schedule, effects);
    const plan = planFor(schedule, state, effects);
    const due = await dueNow(plan, { schedule, state }, { ...effects, watch: watchCommits(effects) });
    if (!due) return { state: 'not-due', ...untilOf(plan), schedule };
    const { outcome } = await runDue(home, due, effects);
    return { state: 'ran', outcome };
  });
}

interface Standing {
  readonly schedule: Schedule;
  readonly state: ScheduleState;
}

/** The night to run now, if any: its time has come, or a source has a new commit. */
async function dueNow(
  plan: Plan,
  { schedule, state }: Standing,
  { watch, clock }: ScheduleEffects & { readonly watch: CommitWatch },
): Promise<Due | undefined> {
  if (plan.state === 'catch-up') {
    const { commits } = await watch.check(schedule, state, 'at once');
    return { plan, state, commits };
  }
  const { commits, news } = await watch.check(schedule, state, 'when it is time');
  if (news.length === 0) return undefined;
  return { plan: { state: 'catch-up', missed: 0, plannedAt: clock.now() }, state, commits, news };
}

function untilOf(plan: Plan): { readonly until?: number } {
  return plan.state === 'wait' && plan.until !== undefined ? { until: plan.until } : {};
}

const STEP_MS = 60_000;

/**
 * In steps, and the clock decides, not the timer: timers stand still while a machine sleeps, and clocks are set.
 * Returns early when the clock was set back, so that the plan is made anew, and when sources are to be checked.
 */
async function waitUntil(
  until: number | undefined,
  { commitsEveryMs }: Schedule,
  { clock, signal, meanwhile }: ScheduleEffects,
): Promise<void> {
  let last = clock.now();
  const back = Math.min(
    until ?? Number.POSITIVE_INFINITY,
    last + (commitsEveryMs ?? Number.POSITIVE_INFINITY),
  );
  while (last < back && !signal.aborted) {
    await meanwhile?.();
    await clock.sleep(Math.min(STEP_MS, back - last), signal);
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

async function checkedState(
  home: string,
  state: ScheduleState | undefined,
  schedule: Schedule,
  effects: ScheduleEffects,
): Promise<ScheduleState> {
  const next = usableState(state, schedule, effects.clock.now());
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

/** Runs the work as the only schedule of the home; a second one is refused, with who holds the first. */
async function holdSchedule<T>(
  home: string,
  { locks, holder }: { readonly locks?: Locks | undefined; readonly holder: JsonObject },
  work: () => Promise<T>,
): Promise<T> {
  if (!locks) return work();
  const outcome = await locks.acquire(joinPath(homeLayout(home).own, 'schedule.lock'), holder);
  if (outcome.state === 'held')
    throw new NightmarkError(
      'SCHEDULE_HELD',
      `${home} is scheduled already, by ${describe(outcome.holder)}.`,
      {
        hint: 'Stop that one first, or leave the schedule to it.',
      },
    );
  try {
    return await work();
  } finally {
    outcome.release();
  }
}

function describe({ pid, host }: JsonObject): string {
  if (pid === undefined) return 'another process';
  return `process ${String(pid)}${host === undefined ? '' : ` on ${String(host)}`}`;
}

export interface CommitWatch {
  check(
    schedule: Schedule,
    state: ScheduleState,
    when: 'at once' | 'when it is time',
  ): Promise<{ readonly commits?: ScheduleState['commits']; readonly news: readonly string[] }>;
}

/**
 * Checks the sources for new commits, as often as the schedule says. A source that does not answer keeps the commit it
 * had, and is one warning until it answers again: a server that is down over the weekend does not fill the log.
 */
function watchCommits({
  checkSources,
  clock,
  report,
}: Pick<ScheduleEffects, 'checkSources' | 'clock' | 'report'>): CommitWatch {
  let checkedAt: number | undefined;
  let lastWarning = '';
  return {
    async check({ commitsEveryMs }, { commits: before = {} }, when) {
      if (commitsEveryMs === undefined || !checkSources) return { news: [] };
      const now = clock.now();
      // A clock that was set back must not silence the watch until it is where it was.
      const isTime = checkedAt === undefined || now < checkedAt || now - checkedAt >= commitsEveryMs;
      if (when === 'when it is time' && !isTime) return { news: [] };
      checkedAt = now;
      const { commits, problems } = await checkSources();
      const warning = problems.join('\n');
      if (warning !== '' && warning !== lastWarning) report({ type: 'warning', message: warning });
      lastWarning = warning;
      const news = Object.keys(commits).filter((source) => commits[source] !== before[source]);
      return { commits: { ...before, ...commits }, news };
    },
  };
}
