import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';

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

export interface GatheredEntries {
  readonly keys: Readonly<Record<string, readonly JsonValue[]>>;
  readonly members: readonly MatrixEntry[];
}

/** One axis: pairs of a key and one of its values, in order. */
export type SettingList = readonly (readonly [key: string, value: JsonValue])[];
