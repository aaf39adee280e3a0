import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { compareSettingValues } from '../../platform/core/text/text-order.ts';

/** Every setting with its values: numbers by size, texts naturally, null (some entry has it not) last. */
export type SettingValues = ReadonlyMap<string, readonly JsonValue[]>;

export interface SettingCounter {
  add(settings: Settings): void;
  finish(): SettingValues;
}

/** Collects the values of settings as entries come by; lists and mappings are carried along and are no values. */
export function countSettings(): SettingCounter {
  const seen = new Map<string, { readonly values: Set<JsonValue>; entries: number }>();
  let entries = 0;
  return {
    add(settings) {
      entries++;
      for (const [key, value] of Object.entries(settings)) {
        if (typeof value === 'object' && value !== null) continue;
        const known = seen.get(key);
        if (known) {
          known.values.add(value);
          known.entries++;
        } else seen.set(key, { values: new Set([value]), entries: 1 });
      }
    },
    finish: () =>
      new Map(
        [...seen].map(([key, known]) => {
          const values = [...known.values].sort(compareSettingValues);
          const isEverywhere = known.entries === entries || known.values.has(null);
          return [key, isEverywhere ? values : [...values, null]];
        }),
      ),
  };
}

/** The settings with every known key: what an entry does not say is null. */
export function withEveryKey(settings: Settings, keys: Iterable<string>): Settings {
  const missing: [string, null][] = [];
  for (const key of keys) if (!Object.hasOwn(settings, key)) missing.push([key, null]);
  return missing.length === 0 ? settings : { ...settings, ...Object.fromEntries(missing) };
}
