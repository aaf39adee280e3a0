import { pythonFloat } from '../../../platform/core/python/python-values.ts';
import { type JsonObject, pythonJson } from '../../../platform/core/text/json.ts';
import { compareCodePoints } from '../../../platform/core/text/text-order.ts';
import type { Timestamp } from '../points/points.ts';

/** A value of a field. A number is a float, also a whole one: 1 and 0.5 must have one type. A bigint is an integer. */
export type LineValue = number | bigint | boolean | string;

export interface LineFields {
  readonly [field: string]: LineValue | null | undefined;
}

export interface LineTags {
  readonly [tag: string]: string | number | bigint | boolean | null | undefined;
}

/** A point that is to become line protocol. */
export interface LinePoint {
  readonly measurement: string;
  readonly tags?: LineTags;
  readonly fields: LineFields;
  /** Absent: the receiver sets the timestamp. */
  readonly at?: Timestamp;
}

/**
 * A point as line protocol, without a newline: tags and fields by code point, the same bytes as pytelegraf except for its
 * bugs: quotes and backslashes of strings are escaped, a tag without a value and a field that is null are left out, no
 * name can end the line or swallow what follows it. None when no field is left; two lines when some values are not
 * finite: servers refuse a line with one of those, and must not refuse its other fields with it.
 */
export function formatLines(point: LinePoint): readonly string[] {
  const name = escaped(point.measurement, MEASUREMENT);
  if (name === '') return [];
  // A line that begins with "#" is a comment.
  const head = `${name.startsWith('#') ? '\\' : ''}${name}${tagsText(point.tags ?? {})}`;
  const end = point.at === undefined ? '' : ` ${nanoseconds(point.at)}`;
  const fields = sortedEntries(point.fields).flatMap(([key, value]) =>
    value === null || value === undefined || escaped(key, KEY) === '' ? [] : [{ key, value }],
  );
  const isReal = ({ value }: { value: LineValue }) => typeof value !== 'number' || Number.isFinite(value);
  return [fields.filter(isReal), fields.filter((field) => !isReal(field))]
    .filter((part) => part.length > 0)
    .map((part) => `${head} ${part.map(fieldText).join(',')}${end}`);
}

/** Nanoseconds since 1970 in digits: too many for a number. */
export function nanoseconds({ ms, ns }: Timestamp): string {
  return String(BigInt(ms) * 1_000_000n + BigInt(ns));
}

const MEASUREMENT = /(\\*)([, ])/g;
const KEY = /(\\*)([,= ])/g;

/**
 * Backslashes before a separator are made an even number, so that it is escaped for parsers that read backslashes in pairs
 * and for those that look at one character back, as InfluxDB does. The protocol cannot express a backslash at the end,
 * which is left out, and a newline, which becomes the two characters \n.
 */
function escaped(text: string, special: RegExp): string {
  return text
    .replace(/\r\n|\n|\r/g, '\\n')
    .replace(/\\+$/, '')
    .replace(special, (_, slashes: string, separator: string) => {
      const even = slashes.length % 2 === 0 ? slashes : `${slashes}\\`;
      return `${even}\\${separator}`;
    });
}

function tagsText(tags: LineTags): string {
  return sortedEntries(tags)
    .map(([key, value]) => [escaped(key, KEY), value == null ? '' : escaped(tagValue(value), KEY)] as const)
    .filter(([key, value]) => key !== '' && value !== '')
    .map(([key, value]) => `,${key}=${value}`)
    .join('');
}

function tagValue(value: string | number | bigint | boolean): string {
  return typeof value === 'boolean' ? pythonBoolean(value) : String(value);
}

function fieldText({ key, value }: { readonly key: string; readonly value: LineValue }): string {
  return `${escaped(key, KEY)}=${valueText(value)}`;
}

function valueText(value: LineValue): string {
  if (typeof value === 'number') return pythonFloat(value);
  if (typeof value === 'boolean') return pythonBoolean(value);
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  // Servers refuse integers beyond 64 bits; the nearest float is better than a refused line.
  return BigInt.asIntN(64, value) === value ? `${value}i` : pythonFloat(Number(value));
}

function pythonBoolean(value: boolean): string {
  return value ? 'True' : 'False';
}

function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => compareCodePoints(a, b));
}

/**
 * The text whose MD5 is the id of a metric in Job Monitor: measurement, tags and, where there are several, the worker, as
 * Python's json.dumps writes them with sorted keys.
 */
export function metricIdText(measurement: string, tags: JsonObject, worker?: number): string {
  const all: JsonObject = { measurement, ...tags, ...(worker !== undefined && { worker }) };
  const keys = Object.keys(all).sort(compareCodePoints);
  // An object would put keys that are numbers first.
  return `{${keys.map((key) => `${pythonJson(key)}: ${pythonJson(all[key] ?? null)}`).join(', ')}}`;
}
