import {
  gatherEntries,
  keyText,
  type MatrixEntry,
  type Settings,
} from '../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { compareSettingValues } from '../../platform/core/text/text-order.ts';

/** All entries of a tree of results, with their settings. */
export interface Matrix {
  /** In the order of the tree; every entry has every setting. */
  readonly entries: readonly MatrixEntry[];
  /** Entries that stand for all values of the rolling settings (repetitions, seeds). */
  readonly gathered: readonly MatrixEntry[];
  readonly settings: SettingValues;
  /** Entries of both kinds by their key text. Two that differ only in types share one. */
  readonly byKey: ReadonlyMap<string, readonly MatrixEntry[]>;
}

export function buildMatrix(entries: readonly MatrixEntry[]): Matrix {
  const counter = countSettings();
  const groups = gatherEntries(entries);
  for (const entry of entries) counter.add(entry.settings);
  for (const entry of groups) counter.add(entry.settings);
  const settings = counter.finish();
  const keys = [...settings.keys()];
  const uniform = new Map(entries.map((entry) => [entry, withKeys(entry, keys)]));
  const gathered = groups.map((entry) => withMembers(withKeys(entry, keys), uniform));
  const all = [...uniform.values()];
  const byKey = new Map<string, MatrixEntry[]>();
  for (const entry of [...all, ...gathered]) {
    const key = keyText(entry.settings);
    const same = byKey.get(key);
    if (same) same.push(entry);
    else byKey.set(key, [entry]);
  }
  return { entries: all, gathered, settings, byKey };
}

function withKeys(entry: MatrixEntry, keys: readonly string[]): MatrixEntry {
  const settings = withEveryKey(entry.settings, keys);
  return settings === entry.settings ? entry : { ...entry, settings };
}

function withMembers(entry: MatrixEntry, uniform: ReadonlyMap<MatrixEntry, MatrixEntry>): MatrixEntry {
  if (!entry.gathered) return entry;
  const members = entry.gathered.members.map((member) => uniform.get(member) ?? member);
  return { ...entry, gathered: { ...entry.gathered, members } };
}

/** Every setting with its values: numbers by size, texts in natural order, null (some entry lacks it) last. */
export type SettingValues = ReadonlyMap<string, readonly JsonValue[]>;

export interface SettingCounter {
  add(settings: Settings): void;
  finish(): SettingValues;
}

/** Collects the values of settings entry by entry; lists and mappings do not count as values. */
export function countSettings(): SettingCounter {
  const seen = new Map<string, { readonly values: Set<JsonValue>; entries: number }>();
  let entries = 0;
  return {
    add(settings) {
      entries++;
      for (const [key, value] of Object.entries(settings)) {
        if (typeof value === 'object' && value !== null) continue;
        const setting = seen.get(key);
        if (setting) {
          setting.values.add(value);
          setting.entries++;
        } else seen.set(key, { values: new Set([value]), entries: 1 });
      }
    },
    finish: () =>
      new Map(
        [...seen].map(([key, setting]) => {
          const values = [...setting.values].sort(compareSettingValues);
          const isEverywhere = setting.entries === entries || setting.values.has(null);
          return [key, isEverywhere ? values : [...values, null]];
        }),
      ),
  };
}

/** The settings with every key: what an entry lacks is null. */
export function withEveryKey(settings: Settings, keys: Iterable<string>): Settings {
  const missing: [string, null][] = [];
  for (const key of keys) if (!Object.hasOwn(settings, key)) missing.push([key, null]);
  return missing.length === 0 ? settings : { ...settings, ...Object.fromEntries(missing) };
}
