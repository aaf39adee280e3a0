/** A moment of a payload. */
export interface PayloadTime {
  /** Milliseconds since 1970, with the fraction that doubles can hold. */
  readonly at: number;
  /** In UTC with six decimals, as documents carry it: 2024-09-02T10:00:00.000000Z. */
  readonly text: string;
}

const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6})\d{0,6})?)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/i;
const DAY_MS = 86_400_000;

/** Reads an ISO time; one that names no zone is in UTC, as the old stores take it. Undefined when it is none. */
export function parsePayloadTime(text: string): PayloadTime | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1, 6).map(Number);
  const second = Number(found[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = Date.UTC(year, month - 1, day);
  // A day that the month does not have would silently be one of the next month.
  if (month < 1 || month > 12 || day < 1 || new Date(date).getUTCDate() !== day) return undefined;
  const offset = offsetMs(found[9], found[10], found[11]);
  const whole = date + ((hour * 60 + minute) * 60 + second) * 1000 - offset;
  return timeOf(whole, (found[7] ?? '').padEnd(6, '0'));
}

/** A moment as a number: seconds since 1970, or milliseconds where seconds would be beyond the year 2603. */
export function numericPayloadTime(value: number): PayloadTime | undefined {
  let ms = Math.abs(value) > 2e10 ? value : value * 1000;
  while (Math.abs(ms) > 2e13) ms /= 1000;
  const whole = Math.floor(ms / 1000) * 1000;
  return Number.isFinite(ms)
    ? timeOf(whole, String(Math.min(999_999, Math.round((ms - whole) * 1000))).padStart(6, '0'))
    : undefined;
}

function timeOf(wholeMs: number, microseconds: string): PayloadTime | undefined {
  // Years 1 to 9999: what four digits can say.
  if (wholeMs < -719_162 * DAY_MS || wholeMs >= 2_932_897 * DAY_MS) return undefined;
  const text = `${new Date(wholeMs).toISOString().slice(0, 19)}.${microseconds}Z`;
  return { at: wholeMs + Number(microseconds) / 1000, text };
}

function offsetMs(sign: string | undefined, hours = '0', minutes = '0'): number {
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
