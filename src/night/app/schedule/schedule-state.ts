import type { Schedule } from '../../../home/core/home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Timetable } from '../../../platform/core/timetable.ts';

/** What the schedule remembers between nights, in HOME/.nightmark/schedule.json. Times are epoch milliseconds. */
export interface ScheduleState {
  readonly cron?: string;
  readonly timezone?: string;
  readonly plannedAt: number;
  readonly startedAt?: number;
  /** Absent while a night runs, and after one that was cut off. */
  readonly endedAt?: number;
  /** What the sources had when the last night began, by source. */
  readonly commits?: Readonly<Record<string, string>>;
}

export async function readScheduleState(home: string, disk: Disk): Promise<ScheduleState | undefined> {
  const text = await disk.readText(homeLayout(home).scheduleState, { maxBytes: 100_000 });
  return text === undefined ? undefined : parseState(text);
}

export async function writeScheduleState(home: string, state: ScheduleState, disk: Disk): Promise<void> {
  await disk.writeText(homeLayout(home).scheduleState, `${JSON.stringify(state)}\n`, { durable: true });
}

/** A clock that jumps by more was wrong before: what was remembered under it no longer counts. */
const TOLERATED_JUMP_MS = 24 * 3600 * 1000;

/**
 * The state to go on from. A new or changed schedule counts from now: a night that the old one did not plan was not
 * missed. A time in the near future (the clock was set back by an hour) is waited for, so that no night is run
 * twice; one in the far future would stop the schedule for ever.
 */
export function usableState(
  state: ScheduleState | undefined,
  schedule: Schedule,
  now: number,
): ScheduleState {
  const { cron, timezone } = schedule;
  const isSame = state?.cron === cron && state?.timezone === timezone;
  const last = Math.max(state?.plannedAt ?? 0, state?.startedAt ?? 0);
  if (state && isSame && last - now <= TOLERATED_JUMP_MS) return state;
  return {
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
    plannedAt: now,
    ...(state?.commits && { commits: state.commits }),
  };
}

/** A damaged file does not stop the schedule: it then counts from now. */
function parseState(text: string): ScheduleState | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { cron, timezone, plannedAt, startedAt, endedAt, commits } = value;
  if (typeof plannedAt !== 'number') return undefined;
  return {
    plannedAt,
    ...(typeof cron === 'string' && { cron }),
    ...(typeof timezone === 'string' && { timezone }),
    ...(typeof startedAt === 'number' && { startedAt }),
    ...(typeof endedAt === 'number' && { endedAt }),
    ...(isTexts(commits) && { commits }),
  };
}

function isTexts(value: JsonValue | undefined): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

export interface ScheduleEffects {
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly disk: Disk;
  readonly signal: CancelSignal;
  readonly locks?: Locks;
  /** Who holds the schedule, for the message of a second one. */
  readonly holder: JsonObject;
  /** Read before the first night and after each: a pull may have changed it. */
  readSchedule(): Promise<Schedule>;
  runNight(facts: { readonly pullWarning?: string }): Promise<NightOutcome>;
  pull?(): Promise<void>;
  /** The newest commits of the sources of the home. Never rejects: a source that cannot be read is a problem. */
  checkSources?(): Promise<SourceTips>;
  /** Small work now and then while nothing is due; never fails. */
  meanwhile?(): Promise<void>;
  report(event: ScheduleEvent): void;
}

export interface SourceTips {
  /** By source. */
  readonly commits: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

export interface NightOutcome {
  readonly exitCode: number;
  readonly message: string;
}

export type ScheduleEvent =
  | { readonly type: 'waiting'; readonly until?: number; readonly schedule: Schedule }
  | {
      readonly type: 'night-started';
      readonly plannedAt: number;
      readonly missed: number;
      /** Sources whose new commit started it. */
      readonly news?: readonly string[];
    }
  | ({ readonly type: 'night-ended' } & NightOutcome)
  | { readonly type: 'warning'; readonly message: string };
