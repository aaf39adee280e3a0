import type { WallTime } from '../text/times.ts';
import type { QuietHours } from './route.ts';

/** Whether it is quiet at that time of the clock on the wall. */
export function isQuiet(
  { hours, weekends }: QuietHours,
  { weekday, hour, minute }: Pick<WallTime, 'weekday' | 'hour' | 'minute'>,
): boolean {
  if (weekends && (weekday === 0 || weekday === 6)) return true;
  if (!hours) return false;
  const now = hour * 60 + minute;
  const { from, until } = hours;
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/** The clock on the wall in a time zone whose name was checked. */
export function wallIn(timezone: string, at: number): Pick<WallTime, 'weekday' | 'hour' | 'minute'> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    hour: Number(parts.get('hour')),
    minute: Number(parts.get('minute')),
  };
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
