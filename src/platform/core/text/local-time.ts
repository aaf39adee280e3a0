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
export function inHowLong(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (minutes < 1) return 'in less than a minute';
  if (days > 0) return hours > 0 ? `in ${days} d ${hours} h` : `in ${days} d`;
  const rest = minutes % 60;
  if (hours === 0) return `in ${minutes} min`;
  return rest > 0 ? `in ${hours} h ${rest} min` : `in ${hours} h`;
}
