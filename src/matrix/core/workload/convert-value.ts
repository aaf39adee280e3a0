import { SEMVER_PATTERN } from '../../../formats/core/kpi/payload-shape.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { ValueType } from './workload-definition.ts';

export type Converted = { readonly value: JsonValue } | { readonly reason: string };

/** A value converted to a type, or the reason why it cannot be. The caller unpacks lists. */
export function convertValue(value: JsonValue, type: ValueType): Converted {
  const converted = CONVERSIONS[type](value);
  return converted === undefined ? { reason: `${shown(value)} is ${NOT_A[type]}` } : { value: converted };
}

/** A number as programs write it, also nan, inf and True of Python; undefined for other text. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  if (NUMBER.test(trimmed)) return Number(trimmed);
  return NAMED_NUMBERS.get(trimmed.toLowerCase());
}

export const SEMVER = new RegExp(SEMVER_PATTERN);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAMED_NUMBERS = new Map([
  ['nan', Number.NaN],
  ['+nan', Number.NaN],
  ['-nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
  ['true', 1],
  ['false', 0],
]);

const NOT_A: Readonly<Record<ValueType, string>> = {
  text: 'not a text',
  number: 'not a finite number',
  integer: 'not a whole number',
  boolean: 'neither true nor false',
  semver: 'not a version like 1.13.0',
  time: 'not a time like 2024-09-02T10:00:00',
  numbers: 'not a finite number',
  any: 'nothing',
  links: 'not a mapping of names to addresses',
  quantity: 'not a quantity like 512Mi',
};

const CONVERSIONS: Readonly<Record<ValueType, (value: JsonValue) => JsonValue | undefined>> = {
  text: (value) => (typeof value === 'object' ? undefined : String(value)),
  number: toNumber,
  numbers: toNumber,
  integer: (value) => {
    const number = toNumber(value);
    return Number.isSafeInteger(number) ? number : undefined;
  },
  boolean: toBoolean,
  semver: (value) => (typeof value === 'string' && SEMVER.test(value) ? value : undefined),
  time: toTime,
  any: (value) => value,
  links: (value) =>
    isJsonObject(value) && Object.values(value).every((link) => typeof link === 'string') ? value : undefined,
  quantity: (value) => (typeof value === 'string' ? parseQuantity(value) : toNumber(value)),
};

function toNumber(value: JsonValue): number | undefined {
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (typeof number === 'boolean') return number ? 1 : 0;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  return ['false', 'no', 'off', '0'].includes(text) ? false : undefined;
}

const YEAR_1990 = 631_152_000;

/** Text stays as it was written. Numbers are seconds since 1970, or milliseconds where they are too large for seconds. */
function toTime(value: JsonValue): string | undefined {
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (typeof number === 'number' && number >= YEAR_1990) {
    const ms = number < YEAR_1990 * 1000 ? number * 1000 : number;
    return ms < 8e15 ? new Date(ms).toISOString() : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A Kubernetes quantity as a number: "100m" is 0.1, "512Mi" 536870912, "1e3" 1000; undefined for other text. */
export function parseQuantity(text: string): number | undefined {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(m|u|n|k|[KMGTPE]i|[MGTPE])?$/.exec(text.trim());
  if (!found) return undefined;
  const [, digits = '', suffix = ''] = found;
  const divisor = DIVISORS[suffix];
  return divisor === undefined ? Number(digits) * (FACTORS[suffix] ?? 1) : Number(digits) / divisor;
}

/** Dividing by a whole number rounds once; multiplying with 0.001 would round twice. */
const DIVISORS: Readonly<Record<string, number>> = { m: 1e3, u: 1e6, n: 1e9 };
const PREFIXES = ['K', 'M', 'G', 'T', 'P', 'E'];
const FACTORS: Readonly<Record<string, number>> = Object.fromEntries(
  PREFIXES.flatMap((prefix, index) => [
    [index === 0 ? 'k' : prefix, 1000 ** (index + 1)],
    [`${prefix}i`, 1024 ** (index + 1)],
  ]),
);
