import { messageOf } from '../../../platform/core/errors.ts';
import type { Plan } from './plan-next.ts';
import { pullFirst } from './pull-first.ts';
import type { NightOutcome, ScheduleEffects } from './schedule-effects.ts';
import { type ScheduleState, writeScheduleState } from './schedule-state.ts';

export interface Due {
  readonly plan: Plan & { readonly state: 'catch-up' };
  readonly state: ScheduleState;
  /** What the sources have now, where somebody asked. */
  readonly commits?: Readonly<Record<string, string>> | undefined;
  /** Sources whose new commit began the night. */
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
