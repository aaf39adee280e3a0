import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { compareSettingValues, settingText } from '../../../platform/core/text/text-order.ts';

/** Settings of a test as its files say them. Scalars take part in keys; lists and mappings are carried along. */
export type Settings = Readonly<Record<string, JsonValue>>;

/** Value of a setting that stands for all values of a rolling key (one whose name begins with "@"). */
export const ALL_VALUES = '<all>';

/** A test directory that was found and may be read. */
export interface TestFolder {
  /** Absolute. */
  readonly dir: string;
  /** Relative to the results folder as it was named: what people see. */
  readonly location: string;
  /** Own settings over those of the parents. */
  readonly settings: Settings;
  readonly exitCode: number;
}

/** What a workload made of one test directory (one directory may give several entries). */
export interface MatrixEntry {
  readonly location: string;
  /** As rewritten by the workload. */
  readonly settings: Settings;
  readonly importSettings: Settings;
  /** Null for a gathered entry. */
  readonly exitCode: number | null;
  readonly results: JsonObject;
  /** Fields that could not be read, one sentence each: the entry is partial. */
  readonly problems: readonly string[];
  /** Present on an entry that stands for all values of the rolling keys. */
  readonly gathered?: GatheredEntries;
}

interface GatheredEntries {
  readonly keys: Readonly<Record<string, readonly JsonValue[]>>;
  readonly members: readonly MatrixEntry[];
}

/** One axis: pairs of a key and one of its values, in order. */
export type SettingList = readonly (readonly [key: string, value: JsonValue])[];

/** Never part of a key: the plots that a query names. */
const NOT_IN_KEYS = 'stats';

/** How people and old files name an entry: "a=4|b=x", sorted by key. 4 and "4" look the same here. */
export function keyText(settings: Settings): string {
  return sortedKeys(settings)
    .map((key) => `${key}=${settingText(settings[key] as JsonValue)}`)
    .join('|');
}

/** As keyText, but different for different settings, also where only the types differ. */
export function identityOf(settings: Settings): string {
  return JSON.stringify(sortedKeys(settings).map((key) => [key, inOneOrder(settings[key] as JsonValue)]));
}

function sortedKeys(settings: Settings): readonly string[] {
  return Object.keys(settings)
    .filter((key) => key !== NOT_IN_KEYS)
    .sort();
}

/** Mappings that differ in the order of their keys only are the same. */
function inOneOrder(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOneOrder);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([key, field]) => [key, inOneOrder(field)]));
}

/** A key whose values are repetitions of one test: its name begins with "@". */
export function isRollingKey(key: string): boolean {
  return key.startsWith('@');
}

/** The settings with every rolling key at "<all>"; undefined when there is none. */
export function gatheredSettings(settings: Settings): Settings | undefined {
  if (!Object.keys(settings).some(isRollingKey)) return undefined;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, isRollingKey(key) ? ALL_VALUES : value]),
  );
}

/** One entry for each group of entries that differ in rolling keys only, in the order of their first members. */
export function gatherEntries(entries: Iterable<MatrixEntry>): readonly MatrixEntry[] {
  const groups = new Map<string, { readonly settings: Settings; readonly members: MatrixEntry[] }>();
  for (const entry of entries) {
    const settings = gatheredSettings(entry.settings);
    if (settings === undefined) continue;
    const identity = identityOf(settings);
    const group = groups.get(identity);
    if (group) group.members.push(entry);
    else groups.set(identity, { settings, members: [entry] });
  }
  return [...groups.values()].map(({ settings, members }) => ({
    location: members[0]?.location ?? '',
    settings,
    importSettings: settings,
    exitCode: null,
    results: {},
    problems: [],
    gathered: { keys: rollingValues(members), members },
  }));
}

function rollingValues(members: readonly MatrixEntry[]): Readonly<Record<string, readonly JsonValue[]>> {
  const values = new Map<string, Set<JsonValue>>();
  for (const { settings } of members) {
    for (const [key, value] of Object.entries(settings)) {
      if (!isRollingKey(key)) continue;
      const known = values.get(key);
      if (known) known.add(value);
      else values.set(key, new Set([value]));
    }
  }
  return Object.fromEntries([...values].map(([key, set]) => [key, [...set].sort(compareSettingValues)]));
}
