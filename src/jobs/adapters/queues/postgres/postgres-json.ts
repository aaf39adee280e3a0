import type { JsonDialect, JsonPlace, NumberRange } from '../sql-database.ts';

/**
 * Columns are jsonb: fast to read, but without the original order of keys. A path with a filter reads and compares a value in
 * place; operators of jsonb, and casts to numbers, take several times as long.
 */
export const POSTGRES_JSON: JsonDialect = {
  stored: (parameter) => `${parameter}::text::jsonb`,
  text: jsonTextAt,
  number: (place) => `(${textAt(place)})::double precision`,
  plain: textAt,
  has: (place) => `${valueAt(place)} IS NOT NULL`,
  isNumberOrText: (place, ranges) => is(place, ...ranges.map(inRange), IS_TEXT),
  isNoNumber: (place, { low, high }) =>
    is(
      place,
      ...(low === undefined ? [] : [`@ < ${numberOf(low)}`]),
      ...(high === undefined ? [] : [`@ > ${numberOf(high)}`]),
      '@.type() != "number"',
    ),
  isNumber: (place, range) => is(place, inRange(range)),
  isText: (place, text) => `${textAt(place)} = ${text}`,
  isOther: (place, text) => `coalesce(${textAt(place)} <> ${text}, ${valueAt(place)} IS NOT NULL)`,
  holds: (place, text) => `strpos(${textAt(place)}, ${text}) > 0`,
  isTrue: (place) =>
    is(place, '@ == true', '@ != 0', '@ != ""', '@.type() == "array"', '@.type() == "object"'),
  isFalse: (place) => is(place, '@ == false', '@ == 0', '@ == ""', '@ == null'),
  isTruth: (place, truth) => is(place, `@ == ${truth}`),
  // Arithmetic with hundreds of digits is slower than reading the values.
  calculated: () => undefined,
};

const IS_TEXT = '@.type() == "string"';

/** One of the conditions holds. Values of different types are neither equal nor unequal: then the next condition decides. */
function is({ column, keys }: JsonPlace, ...conditions: readonly string[]): string {
  return `${column} @? 'strict $${pathSteps(keys)} ? (${conditions.join(' || ')})'`;
}

function inRange({ low, high }: NumberRange): string {
  const isAbove = low === undefined ? [] : [`@ >= ${numberOf(low)}`];
  const isBelow = high === undefined ? [] : [`@ <= ${numberOf(high)}`];
  return `(${[...isAbove, ...isBelow].join(' && ') || '@.type() == "number"'})`;
}

/** A path has no infinity, but PostgreSQL has larger numbers than JavaScript. */
function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return value < 0 ? '-1e400' : '1e400';
}

function pathSteps(keys: readonly string[]): string {
  return keys.map((key) => `."${key}"`).join('');
}

function jsonTextAt(place: JsonPlace): string {
  const { column, keys, original } = place;
  const value = keys.length === 0 ? column : valueAt(place);
  if (original === undefined) return `${value}::text`;
  if (keys.length === 0) return original.text;
  const inOrder = `(${original.text}::json #> ${pathLiteral(original.keys)})::text`;
  return `CASE jsonb_typeof(${value}) WHEN 'number' THEN ${textAt(place)} WHEN 'object' THEN ${inOrder}
    WHEN 'array' THEN ${inOrder} ELSE ${value}::text END`;
}

function valueAt({ column, keys }: JsonPlace): string {
  const [key = ''] = keys;
  return keys.length === 1 ? `(${column} -> '${key}')` : `(${column} #> ${pathLiteral(keys)})`;
}

function textAt({ column, keys }: JsonPlace): string {
  return `(${column} #>> ${pathLiteral(keys)})`;
}

function pathLiteral(keys: readonly string[]): string {
  return `'{${keys.map((key) => `"${key}"`).join(',')}}'`;
}
