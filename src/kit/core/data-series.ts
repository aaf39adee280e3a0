import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** The numbers of one night, as data_<night>.json holds them. */
export type DataEntry = JsonObject & { readonly timestamp: string };

/** A value of a series with its night. */
export interface DataValue {
  readonly timestamp: string;
  readonly value: number;
}

export function isDataEntry(content: JsonValue): content is DataEntry {
  return isJsonObject(content) && !Number.isNaN(timestampMs(content['timestamp']));
}

/** Oldest first; those of one minute stay in their order. */
export function sortEntries(entries: readonly DataEntry[]): readonly DataEntry[] {
  return entries.toSorted((a, b) => timestampMs(a.timestamp) - timestampMs(b.timestamp));
}

/** The value at a path of keys; undefined when there is none. */
export function atPath(entry: JsonValue, path: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = entry;
  for (const key of path) node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return node;
}

/** The numbers at a path over the nights; nights without one are left out. */
export function seriesAt(entries: readonly DataEntry[], path: readonly string[]): readonly DataValue[] {
  return entries.flatMap((entry) => {
    const value = atPath(entry, path);
    return typeof value === 'number' ? [{ timestamp: entry.timestamp, value }] : [];
  });
}

/** The parts of a local time. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** "01-31-2026-0200": how nights are named in data files. */
export function timestampText({ year, month, day, hour, minute }: WallTime): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(month)}-${two(day)}-${String(year).padStart(4, '0')}-${two(hour)}${two(minute)}`;
}

/** Milliseconds for the order and the distance of timestamps; NaN when it is invalid. */
export function timestampMs(text: unknown): number {
  const parts = typeof text === 'string' ? /^(\d{1,2})-(\d{1,2})-(\d{4})-(\d{2})(\d{2})$/.exec(text) : null;
  if (!parts) return Number.NaN;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = parts.slice(1).map(Number);
  const ms = Date.UTC(year, month - 1, day, hour, minute);
  const isReal = hour < 24 && minute < 60 && new Date(ms).getUTCDate() === day && month >= 1 && month <= 12;
  return isReal ? ms : Number.NaN;
}
