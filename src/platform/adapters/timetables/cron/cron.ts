import { Cron } from 'croner';
import { NightmarkError } from '../../../core/errors.ts';
import type { Timetable } from '../../../core/timetable.ts';
import { fixedTimes } from './fixed-times.ts';

/** Cron expressions with five fields or a nickname (@daily), read by croner. */
const cronTimetable: Timetable = {
  id: 'cron',
  next(cron, timezone, after, count) {
    refuseUnclear(cron);
    const zone = timezone ?? systemZone();
    refuseUnknownZone(zone);
    const moments = fixedTimes(cron).flatMap((expression) => momentsOf(expression, zone, after, count, cron));
    return [...new Set(moments)].sort((a, b) => a - b).slice(0, Math.max(0, count));
  },
};

/** Longer than any expression a person writes; a broken file must not keep the parser busy. */
const MAX_LENGTH = 200;
const HINT =
  'Five fields: minute, hour, day of month, month, day of week. "0 2 * * *" is every night at two; @daily is midnight.';

function momentsOf(expression: string, zone: string, after: number, count: number, asWritten: string) {
  if (count < 1) return [];
  try {
    const schedule = new Cron(expression, { timezone: zone, paused: true, mode: '5-part' });
    return schedule.nextRuns(count, new Date(after)).map((moment) => moment.getTime());
  } catch (cause) {
    throw invalid(asWritten, why(cause), cause);
  }
}

/** croner also takes dates, and "?" for the moment of reading: neither is a schedule that repeats. */
function refuseUnclear(cron: string): void {
  if (cron.trim() === '') throw invalid(cron, 'it is empty');
  if (cron.length > MAX_LENGTH) throw invalid(`${cron.slice(0, 40)}...`, `it has ${cron.length} characters`);
  const fields = cron.trim().split(/\s+/).length;
  if (!cron.trim().startsWith('@') && fields !== 5)
    throw invalid(cron, `it has ${fields} fields instead of five`);
  if (cron.includes('?')) throw invalid(cron, 'it contains "?"');
}

function refuseUnknownZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch (cause) {
    throw new NightmarkError('SCHEDULE_INVALID', `The time zone "${zone}" is not known.`, {
      hint: 'Use a name of the tz database, for example Europe/Berlin, America/Los_Angeles or UTC.',
      cause,
    });
  }
}

function invalid(cron: string, reason: string, cause?: unknown): NightmarkError {
  return new NightmarkError('SCHEDULE_INVALID', `The schedule "${cron}" cannot be understood: ${reason}.`, {
    hint: HINT,
    cause,
  });
}

function why(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/^Cron\w+: /, '').replace(/\.$/, '');
}

function systemZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export default cronTimetable;
