import { Cron } from 'croner';
import { NightmarkError } from '../core/errors.ts';
import type { Timetable } from '../core/timetable.ts';

/** Cron expressions with five fields or a nickname (@daily), read by croner. */
const cronTimetable: Timetable = {
  id: 'cron',
  next(cron, timezone, after, count) {
    refuseUnclear(cron);
    const zone = timezone ?? systemZone();
    refuseUnknownZone(zone);
    const times = fixedTimes(cron).flatMap((expression) => timesOf(expression, zone, after, count, cron));
    return [...new Set(times)].sort((a, b) => a - b).slice(0, Math.max(0, count));
  },
};

/** Longer than any expression a person writes; a broken file must not keep the parser busy. */
const MAX_LENGTH = 200;
const HINT =
  'Five fields: minute, hour, day of month, month, day of week. "0 2 * * *" is every night at two; @daily is midnight.';

function timesOf(expression: string, zone: string, after: number, count: number, asWritten: string) {
  if (count < 1) return [];
  try {
    const schedule = new Cron(expression, { timezone: zone, paused: true, mode: '5-part' });
    return schedule.nextRuns(count, new Date(after)).map((time) => time.getTime());
  } catch (cause) {
    throw invalid(asWritten, why(cause), cause);
  }
}

/** croner also takes dates, and "?" for the time of reading: neither is a schedule that repeats. */
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
    throw new NightmarkError('SCHEDULE_INVALID', `Unknown time zone "${zone}".`, {
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

/**
 * An expression with several fixed times of day ("30 2,14 * * *") as one expression for each time. croner treats an
 * expression with a single time as a time of the day, which happens once in a night of daylight saving, and every
 * other as an interval, which is left out in the missing hour and repeated in the doubled one. Two times a day are
 * still two times. Expressions with a wildcard or a step in minute or hour are intervals and stay as they are.
 */
export function fixedTimes(cron: string): readonly string[] {
  const [minuteField = '', hourField = '', ...rest] = cron.trim().split(/\s+/);
  const minutes = numbersOf(minuteField, 59);
  const hours = numbersOf(hourField, 23);
  if (!minutes || !hours || minutes.length * hours.length > MAX_TIMES) return [cron];
  return hours.flatMap((hour) => minutes.map((minute) => [minute, hour, ...rest].join(' ')));
}

/** Every half hour of a day; beyond it the schedule is an interval in all but its spelling. */
const MAX_TIMES = 48;

/** The numbers of "2", "2,14" or "1-3"; undefined for everything else, which the parser judges. */
function numbersOf(field: string, max: number): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const part of field.split(',')) {
    const [, first, last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) > max || Number(first) > Number(last)) return undefined;
    for (let number = Number(first); number <= Number(last); number++) numbers.push(number);
  }
  return numbers;
}
