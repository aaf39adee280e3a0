import type { JsonDialect, JsonPlace, NumberRange } from '../json-dialect.ts';

/** Columns are jsonb: quick to look into, but keys of objects come in another order than they were written. */
export const POSTGRES_JSON: JsonDialect = {
  stored: (parameter) => `${parameter}::text::jsonb`,
  text: textOf,
  number: (place) => `(${wordsOf(place)})::double precision`,
  plain: wordsOf,
  has: (place) => `${valueAt(place)} IS NOT NULL`,
  isNumberOrText: (place, range) =>
    `CASE ${typeOf(place)} WHEN 'number' THEN ${isIn(place, range)} WHEN 'string' THEN true ELSE false END`,
  isNoNumber: (place, range) =>
    `CASE ${typeOf(place)} WHEN 'number' THEN NOT ${isIn(place, range)} ELSE ${valueAt(place)} IS NOT NULL END`,
  isNumber: (place, range) => `CASE ${typeOf(place)} WHEN 'number' THEN ${isIn(place, range)} ELSE false END`,
  isText: (place, text) => `${wordsOf(place)} = ${text}`,
  isOther: (place, text) =>
    `CASE ${typeOf(place)} WHEN 'null' THEN true ELSE ${wordsOf(place)} <> ${text} END`,
  holds: (place, text) => `strpos(${wordsOf(place)}, ${text}) > 0`,
  isTrue: (place) => `${valueAt(place)} NOT IN ${FALSE}`,
  isFalse: (place) => `${valueAt(place)} IN ${FALSE}`,
  isTruth: (place, truth) => `${valueAt(place)} = '${truth}'`,
};

const FALSE = `('false', '0', '""', 'null')`;

function textOf(place: JsonPlace): string {
  const { column, keys, original } = place;
  const value = keys.length === 0 ? column : valueAt(place);
  if (original === undefined) return `${value}::text`;
  if (keys.length === 0) return original.text;
  return `CASE WHEN jsonb_typeof(${value}) IN ('object', 'array')
    THEN (${original.text}::json #> ${pathOf(original.keys)})::text ELSE ${value}::text END`;
}

function isIn(place: JsonPlace, { low, high }: NumberRange): string {
  const number = `${valueAt(place)}::double precision`;
  if (low !== undefined && high !== undefined) return `${number} BETWEEN ${low} AND ${high}`;
  if (low !== undefined) return `${number} >= ${low}`;
  return high === undefined ? 'true' : `${number} <= ${high}`;
}

function valueAt({ column, keys }: JsonPlace): string {
  const [key = ''] = keys;
  return keys.length === 1 ? `(${column} -> '${key}')` : `(${column} #> ${pathOf(keys)})`;
}

function wordsOf({ column, keys }: JsonPlace): string {
  return `(${column} #>> ${pathOf(keys)})`;
}

function typeOf(place: JsonPlace): string {
  return `jsonb_typeof(${valueAt(place)})`;
}

function pathOf(keys: readonly string[]): string {
  return `'{${keys.map((key) => `"${key}"`).join(',')}}'`;
}
