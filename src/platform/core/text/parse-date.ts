/** A date or a time as ISO 8601 writes it, in milliseconds since 1970; UTC unless it names a zone. Undefined: it is neither. */
export function parseIsoTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
    text,
  );
  if (!match) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = match;
  const colon = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = Date.parse(`${day}T${time}${colon}`);
  return Number.isFinite(at) ? at : undefined;
}

/**
 * Milliseconds since 1970 of what `date` prints, in the forms of most systems: "Sun Jun 26 16:57:57 UTC 2022", "Sun 26 Jun
 * 2022 04:57:57 PM CEST", "2022-06-26T16:57:57+02:00", "1656262677". Undefined when invalid. A zone that is unknown,
 * or none at all, counts as UTC.
 */
export function parseDateText(text: string): number | undefined {
  const line = text.trim();
  if (/^\d{9,11}$/.test(line)) return Number(line) * 1000;
  const day = isoDay(line) ?? namedDay(line);
  const clock = /(?<!\d)(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?:\s*([AP])\.?M\b)?/i.exec(line);
  if (!day || !clock) return undefined;
  const [, hour, minute, second, fraction = '', half] = clock;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const at = Date.UTC(day.year, day.month, day.day, hours, Number(minute), Number(second), ms);
  return Number.isNaN(at) ? undefined : at - offsetMinutes(line) * 60_000;
}

interface Day {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function isoDay(line: string): Day | undefined {
  const found = /\b(\d{4})-(\d{2})-(\d{2})/.exec(line);
  return found ? { year: Number(found[1]), month: Number(found[2]) - 1, day: Number(found[3]) } : undefined;
}

function namedDay(line: string): Day | undefined {
  const words = line.toLowerCase().split(/[\s,]+/);
  const at = words.findIndex((word) => MONTHS.includes(word.slice(0, 3)));
  const year = words.map(Number).find((number) => number >= 1970 && number < 10_000);
  // The day stands beside its month, on one side or the other.
  const day = [words[at + 1], words[at - 1]].find((word) => /^\d{1,2}$/.test(word ?? ''));
  if (at < 0 || year === undefined || day === undefined) return undefined;
  return { year, month: MONTHS.indexOf((words[at] ?? '').slice(0, 3)), day: Number(day) };
}

/** Hours east of UTC of the abbreviations that occur most. */
const ZONES: Readonly<Record<string, number>> = {
  BST: 1,
  WEST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IST: 5.5,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

function offsetMinutes(line: string): number {
  const numeric = /(?:\d|\s)([+-])(\d{2}):?(\d{2})?\b(?!:)/.exec(line.replace(/\b\d{4}-\d{2}-\d{2}/, ''));
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    return numeric[1] === '-' ? -minutes : minutes;
  }
  const name = /\b([A-Z]{3,4})\b(?!.*\b[A-Z]{3,4}\b)/.exec(line)?.[1] ?? '';
  return (ZONES[name] ?? 0) * 60;
}
