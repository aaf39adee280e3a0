import type { JsonDialect, JsonPlace } from '../json-dialect.ts';

/**
 * Truths are read as 0 and 1, lists and objects as their text. A text is more than any number, also more than infinity; so one
 * comparison tells both, and the value is read once: to read it is what takes the time.
 */
export const SQLITE_JSON: JsonDialect = {
  stored: (parameter) => `jsonb(${parameter})`,
  text: (place) =>
    place.keys.length === 0 ? `json(${place.column})` : `(${place.column} -> '${pathOf(place)}')`,
  number: valueAt,
  plain: valueAt,
  has: (place) => `${typeOf(place)} IS NOT NULL`,
  isNumberOrText: (place, { low, high }) => {
    const isBelow = high === undefined ? undefined : `${valueAt(place)} NOT BETWEEN ${high} AND ${INFINITE}`;
    const isAbove = low === undefined ? undefined : `${valueAt(place)} >= ${low}`;
    // Not below nor at the upper bound: so that is a hair too high.
    return `(${[isAbove, isBelow].filter((it) => it !== undefined).join(' AND ') || has(place)})`;
  },
  isNoNumber: (place, { low = `-${INFINITE}`, high = INFINITE }, hasTruth) => {
    const orTruth = hasTruth ? ` OR ${valueAt(place)} IN (0, 1)` : '';
    return `(${valueAt(place)} NOT BETWEEN ${low} AND ${high}${orTruth}${orNull(place)})`;
  },
  isNumber: (place, { low = `-${INFINITE}`, high = INFINITE }) =>
    `${valueAt(place)} BETWEEN ${low} AND ${high}`,
  isText: (place, text) => `${valueAt(place)} = ${text}`,
  isOther: (place, text) => `(${valueAt(place)} <> ${text}${orNull(place)})`,
  holds: (place, text) => `instr(${valueAt(place)}, ${text}) > 0`,
  isTrue: (place) => `${valueAt(place)} NOT IN (0, '')`,
  isFalse: (place) => `(${valueAt(place)} IN (0, '')${orNull(place)})`,
  isTruth: (place, truth) => `${valueAt(place)} = ${truth ? 1 : 0}`,
};

const INFINITE = '9e999';

function has(place: JsonPlace): string {
  return SQLITE_JSON.has(place);
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
