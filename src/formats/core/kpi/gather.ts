import type { JsonValue } from '../../../platform/core/text/json.ts';
import { compareSettingValues } from '../../../platform/core/text/text-order.ts';
import { identityOf } from './key-text.ts';
import { ALL_VALUES, type MatrixEntry, type Settings } from './matrix.ts';

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
