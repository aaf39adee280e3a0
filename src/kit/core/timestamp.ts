/** The parts of a local time, as a clock on the wall shows it. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** "01-31-2026-0200": how nights are named in data files. */
export function timestampText({ year, month, day, hour, minute }: WallTime): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(month)}-${two(day)}-${String(year).padStart(4, '0')}-${two(hour)}${two(minute)}`;
}

/** Milliseconds that order timestamps and tell how far they are apart; NaN when it is none. */
export function timestampMs(text: unknown): number {
  const parts = typeof text === 'string' ? /^(\d{1,2})-(\d{1,2})-(\d{4})-(\d{2})(\d{2})$/.exec(text) : null;
  if (!parts) return Number.NaN;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = parts.slice(1).map(Number);
  const ms = Date.UTC(year, month - 1, day, hour, minute);
  const isReal = hour < 24 && minute < 60 && new Date(ms).getUTCDate() === day && month >= 1 && month <= 12;
  return isReal ? ms : Number.NaN;
}
