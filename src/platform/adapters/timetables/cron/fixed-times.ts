/**
 * An expression with several fixed times of day ("30 2,14 * * *") as one expression for each time. croner treats an
 * expression with a single time as a moment of the day, which happens once in a night of daylight saving, and every
 * other as an interval, which is left out in the missing hour and repeated in the doubled one. Two times a day are
 * still two moments. Expressions with a wildcard or a step in minute or hour are intervals and stay as they are.
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
