/**
 * Reads cron expressions. Contract (src/platform/adapters/cron.test.ts): 1. an expression or a zone that cannot be
 * understood is a NightmarkError SCHEDULE_INVALID that names it; 2. in a zone with daylight saving a night that falls
 * into the missing hour happens once, one in the doubled hour once.
 */
export interface Timetable {
  readonly id: string;
  /** Times of the schedule after `after`, at most `count`, as epoch milliseconds. */
  next(cron: string, timezone: string | undefined, after: number, count: number): readonly number[];
}
