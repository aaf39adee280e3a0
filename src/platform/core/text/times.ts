/** A wall time in some time zone. Months are 1 to 12, weekday 0 is Sunday. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** C's asctime without the newline: "Mon Jan  5 03:07:00 2026". */
export function asctime({ year, month, day, weekday, hour, minute, second }: WallTime): string {
  const clock = [hour, minute, second].map(two).join(':');
  return `${WEEKDAYS[weekday]} ${MONTHS[month - 1]} ${String(day).padStart(2)} ${clock} ${year}`;
}

/** The label of a night as the dashboard writes it: month-day-year-hourminute. */
export function nightLabel({ year, month, day, hour, minute }: WallTime): string {
  return `${two(month)}-${two(day)}-${year}-${two(hour)}${two(minute)}`;
}

/** Reads a night label (an optional "-2" for a second night in one minute is allowed). */
export function parseNightLabel(label: string): Omit<WallTime, 'weekday' | 'second'> | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{4})-(\d{2})(\d{2})(?:-\d+)?$/.exec(label);
  if (!match) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return undefined;
  return { year, month, day, hour, minute };
}

/** Python's text of a timedelta: "0:00:02.611025", no fraction at 0 microseconds, "1 day, 2:03:04". */
export function pythonTimedelta(microseconds: number): string {
  const whole = Math.floor(microseconds / 1e6);
  const fraction = microseconds - whole * 1e6;
  const days = Math.floor(whole / 86_400);
  const rest = whole - days * 86_400;
  const clock = `${Math.floor(rest / 3600)}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  const prefix = days === 0 ? '' : `${days} day${Math.abs(days) === 1 ? '' : 's'}, `;
  return `${prefix}${clock}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Reads Python's text of a timedelta ("0:00:02.611025", "1 day, 2:03:04") as milliseconds. */
export function parsePythonTimedelta(text: string): number | undefined {
  const match = /^(?:(\d+) days?, )?(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 5).map((part) => Number(part ?? 0));
  const micros = Number((match[5] ?? '').padEnd(6, '0'));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + micros / 1000;
}

/** "Mon 2026-11-16 02:00 CET": the wall clock of the zone, or of this machine. */
export function localTime(at: number, timezone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(timezone !== undefined && { timeZone: timezone }),
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${part['year']}-${part['month']}-${part['day']}`;
  return `${part['weekday']} ${date} ${part['hour']}:${part['minute']} ${part['timeZoneName']}`;
}

export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** "in 3 h 12 min". */
export function formatTimeUntil(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (minutes < 1) return 'in less than a minute';
  if (days > 0) return hours > 0 ? `in ${days} d ${hours} h` : `in ${days} d`;
  const rest = minutes % 60;
  if (hours === 0) return `in ${minutes} min`;
  return rest > 0 ? `in ${hours} h ${rest} min` : `in ${hours} h`;
}
