import { NightmarkError } from '../../platform/core/errors.ts';
import { inNaturalOrder } from '../../platform/core/text/text-order.ts';
import type { PointReader } from '../core/points/point-reader.ts';
import type { StoredColumn } from '../core/points/point-storage.ts';
import type { Timestamp } from '../core/points/points.ts';

/** Query parameters: each name with all its values. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Maximum of one request. */
export const MAX_SERIES = 1_000;

const SERIES_PARAMETERS = ['database', 'measurement', 'field'] as const;

/** Refuses unknown names: a mistyped filter would match everything. */
export function parametersOf(query: unknown, names: readonly string[]): Parameters {
  const allowed = [...SERIES_PARAMETERS, ...names];
  const given = Object.entries(query as Record<string, string | readonly string[]>);
  for (const [name] of given) {
    if (allowed.includes(name) || name.startsWith('tag.')) continue;
    throw badRequest(`There is no parameter "${name}".`, `There are ${allowed.join(', ')} and tag.KEY.`);
  }
  return new Map(given.map(([name, values]) => [name, typeof values === 'string' ? [values] : values]));
}

/** A parameter that is given once, if at all. */
export function single(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name) ?? [];
  if (values.length > 1) throw badRequest(`"${name}" is given ${values.length} times.`, 'Give it once.');
  return values[0];
}

export function requestedDatabase(parameters: Parameters, reader: PointReader): string {
  const database = single(parameters, 'database');
  const names = reader.databases();
  const hint = `Databases are ${names.slice(0, 20).join(', ') || 'not there yet'}: see /api/points/series.`;
  if (database === undefined || database === '') throw badRequest('"database" is missing.', hint);
  if (names.includes(database)) return database;
  throw new NightmarkError('POINTS_NO_DATABASE', `There is no database "${database}".`, { hint });
}

/** Columns of the database that match one of the requested values for each name; too many are refused. */
export function requestedColumns(parameters: Parameters, reader: PointReader): readonly StoredColumn[] {
  const found = matching(parameters, reader.columns(requestedDatabase(parameters, reader)));
  if (found.length <= MAX_SERIES) return found;
  throw badRequest(
    `${found.length} series match, and one request gets at most ${MAX_SERIES}.`,
    'Say more: measurement, field, tag.KEY=VALUE. /api/points/series lists what there is.',
  );
}

/** Sorted by measurement, tags and field, "h2" before "h10". */
export function matching(parameters: Parameters, columns: readonly StoredColumn[]): readonly StoredColumn[] {
  const [measurements, fields] = [parameters.get('measurement'), parameters.get('field')];
  const tags = [...parameters].flatMap(([name, values]) =>
    name.startsWith('tag.') ? [[name.slice(4), values] as const] : [],
  );
  const found = columns.filter(
    (column) =>
      (measurements?.includes(column.measurement) ?? true) &&
      (fields?.includes(column.field) ?? true) &&
      tags.every(([key, values]) => values.includes(column.tags.find(([name]) => name === key)?.[1] ?? '')),
  );
  return inNaturalOrder(found, orderKey);
}

function orderKey({ measurement, tags, field }: StoredColumn): string {
  return [measurement, ...tags.flat(), '', field].join('\0');
}

export function requestedNumber(
  parameters: Parameters,
  name: string,
  { most, otherwise }: { readonly most: number; readonly otherwise: number },
): number {
  const text = single(parameters, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw badRequest(`"${name}" is "${text}".`, `Give a whole number from 1 to ${most}.`);
}

export interface RequestedRange {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

const HOUR_MS = 3_600_000;

/** The last hour by default. */
export function requestedRange(parameters: Parameters, now: Timestamp): RequestedRange {
  const toMs = timeIn(parameters, 'to', now.ms) ?? now.ms + 1;
  const fromMs = timeIn(parameters, 'from', now.ms) ?? toMs - HOUR_MS;
  if (fromMs < toMs) return { from: { ms: fromMs, ns: 0 }, to: { ms: toMs, ns: 0 } };
  throw badRequest(
    `"from" (${isoOf(fromMs)}) is not before "to" (${isoOf(toMs)}).`,
    'The range includes "from" and excludes "to".',
  );
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 168 * HOUR_MS,
};
/** What nanoseconds in 64 bits can hold: 1677 to 2262. */
const FARTHEST_MS = 9_223_372_036_854;

function timeIn(parameters: Parameters, name: string, nowMs: number): number | undefined {
  const text = single(parameters, name);
  if (text === undefined) return undefined;
  const ms = timeOf(text, nowMs);
  if (Math.abs(ms) <= FARTHEST_MS) return ms;
  throw badRequest(
    `"${name}" is "${text}", which is not a time from 1677 to 2262.`,
    'Give milliseconds since 1970, 2026-01-31T12:00:00Z, now or now-6h (ms, s, m, h, d, w).',
  );
}

/** NaN when it is invalid. */
function timeOf(text: string, nowMs: number): number {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  const ago = /^now(?:-(\d{1,12})(ms|[smhdw]))?$/.exec(text);
  if (ago) return nowMs - Number(ago[1] ?? 0) * (UNITS_MS[ago[2] ?? 'ms'] ?? 1);
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function badRequest(message: string, hint: string): NightmarkError {
  return new NightmarkError('POINTS_ASKED', message, { hint });
}
