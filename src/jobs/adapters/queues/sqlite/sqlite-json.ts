import type { Calculation, JsonDialect, JsonPlace, NumberRange } from '../sql-database.ts';

/**
 * Truths are read as 0 and 1, lists and objects as their text. A text is more than any number, also more than infinity; so one
 * comparison gives both, and the value is read once: to read it is what takes the time.
 */
export const SQLITE_JSON: JsonDialect = {
  stored: (parameter) => `jsonb(${parameter})`,
  text: (place) =>
    place.keys.length === 0 ? `json(${place.column})` : `(${place.column} -> '${pathOf(place)}')`,
  number: valueAt,
  plain: valueAt,
  has: (place) => `${typeOf(place)} IS NOT NULL`,
  isNumberOrText: (place, ranges) => {
    const [first, ...more] = ranges;
    if (first === undefined) return `${valueAt(place)} >= ''`;
    if (more.length === 0) return isNumberOrText(valueAt(place), first);
    return readOnce([place], ranges.map((range) => isNumberOrText('v0', range)).join(' OR '));
  },
  isNoNumber: (place, range, hasTruth) => {
    const orTruth = hasTruth ? ` OR ${valueAt(place)} IN (0, 1)` : '';
    return `(${valueAt(place)} NOT ${between(range)}${orTruth}${orNull(place)})`;
  },
  isNumber: (place, range) => `${valueAt(place)} ${between(range)}`,
  isText: (place, text) => `${valueAt(place)} = ${text}`,
  isOther: (place, text) => `(${valueAt(place)} <> ${text}${orNull(place)})`,
  holds: (place, text) => `instr(${valueAt(place)}, ${text}) > 0`,
  isTrue: (place) => `${valueAt(place)} NOT IN (0, '')`,
  isFalse: (place) => `(${valueAt(place)} IN (0, '')${orNull(place)})`,
  isTruth: (place, truth) => `${valueAt(place)} = ${truth ? 1 : 0}`,
  calculated,
};

const INFINITE = '9e999';

function isNumberOrText(value: string, { low, high }: NumberRange): string {
  // Not below nor at the upper bound: so that is a hair too high.
  const isBelow = high === undefined ? [] : [`${value} NOT ${between({ low: high })}`];
  const isAbove = low === undefined ? [] : [`${value} >= ${sqlOf(low)}`];
  return `(${[...isAbove, ...isBelow].join(' AND ') || `${value} IS NOT NULL`})`;
}

function between({ low = -Infinity, high = Infinity }: NumberRange): string {
  return `BETWEEN ${sqlOf(low)} AND ${sqlOf(high)}`;
}

function sqlOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return value < 0 ? `-${INFINITE}` : INFINITE;
}

/** The difference of two infinite numbers is NULL. */
function calculated({ places, condition }: Calculation): string {
  const names = places.map((_, at) => `v${at}`);
  const holds = condition(
    (at) => names[at] ?? '',
    (at) => `abs(${names[at]})`,
  );
  const areThere = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const areTexts = names.map((name) => ` OR ${name} >= ''`).join('');
  return readOnce(places, `coalesce(${holds}, ${areThere})${areTexts}`);
}

/** With a limit it is a query of its own, and no other way to write each of its columns where it is used. */
function readOnce(places: readonly JsonPlace[], condition: string): string {
  const values = places.map((place, at) => `${valueAt(place)} AS v${at}`);
  return `(SELECT ${condition} FROM (SELECT ${values.join(', ')} LIMIT 1))`;
}

function valueAt(place: JsonPlace): string {
  return `json_extract(${place.column}, '${pathOf(place)}')`;
}

function typeOf(place: JsonPlace): string {
  return `json_type(${place.column}, '${pathOf(place)}')`;
}

function orNull(place: JsonPlace): string {
  return ` OR ${typeOf(place)} = 'null'`;
}

function pathOf({ keys }: JsonPlace): string {
  return `$${keys.map((key) => `."${key}"`).join('')}`;
}
