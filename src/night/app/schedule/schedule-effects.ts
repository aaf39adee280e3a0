import type { Schedule } from '../../../home/core/home.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Timetable } from '../../../platform/core/timetable.ts';

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
  /** What the sources of the home have at this moment. Rejects never: what could not be asked is a problem. */
  askSources?(): Promise<SourceTips>;
  /** Something small to do now and then while nothing is due; fails never. */
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
      /** Sources whose new commit began it. */
      readonly news?: readonly string[];
    }
  | ({ readonly type: 'night-ended' } & NightOutcome)
  | { readonly type: 'warning'; readonly message: string };
