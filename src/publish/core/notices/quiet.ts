import { type QuietHours, SEVERITIES } from '../../../home/core/home.ts';
import type { WallTime } from '../../../platform/core/text/times.ts';
import { isAtLeast, isClosing, type Notice } from './notice.ts';

/** Whether it is quiet at that time of the clock on the wall. */
export function isQuiet(
  { hours, weekends }: Omit<QuietHours, 'except'>,
  { weekday, hour, minute }: Pick<WallTime, 'weekday' | 'hour' | 'minute'>,
): boolean {
  if (weekends && (weekday === 0 || weekday === 6)) return true;
  if (!hours) return false;
  const now = hour * 60 + minute;
  const { from, until } = hours;
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/** Whether a notice is told in quiet hours all the same. That something is over can wait until they are. */
export function passesQuiet(
  { event, severity, state }: Pick<Notice, 'event' | 'severity' | 'state'>,
  { except }: Pick<QuietHours, 'except'>,
): boolean {
  if (isClosing(state)) return false;
  const least = SEVERITIES.find((one) => except.includes(one));
  return except.some((one) => one === event) || (least !== undefined && isAtLeast(severity, least));
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
