import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { timestampMs } from './timestamp.ts';

/** The numbers of one night, as data_<night>.json holds them. */
export type DataEntry = JsonObject & { readonly timestamp: string };

/** A value of a series with the night it is of. */
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

/** What is at a path of keys; undefined when there is nothing. */
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
