import type { Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { SettingsRules } from './definition.ts';
import { fieldAt } from './field-at.ts';

/** The settings under which a test is known: defaults, then renamed, mapped, computed, dropped and gathered ones. */
export function rewriteSettings(rules: SettingsRules, settings: Settings, results: JsonObject): Settings {
  const entries = new Map<string, JsonValue>(Object.entries(rules.default));
  for (const [key, value] of Object.entries(settings)) entries.set(key, value);
  const named = [...entries].map(([key, value]): [string, JsonValue] => [
    own(rules.rename, key) ?? key,
    value,
  ]);
  const rewritten = new Map(
    named.map(([key, value]) => [key, own(own(rules.map, key), String(value)) ?? value]),
  );
  for (const [key, field] of Object.entries(rules.compute)) {
    const value = fieldAt(results, field);
    if (value !== undefined) rewritten.set(key, value);
  }
  for (const key of rules.drop) rewritten.delete(key);
  return Object.fromEntries(
    [...rewritten].map(([key, value]) => [rules.gather.includes(key) ? `@${key}` : key, value]),
  );
}

function own<T>(mapping: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return mapping !== undefined && Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
