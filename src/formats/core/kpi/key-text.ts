import type { JsonValue } from '../../../platform/core/text/json.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { Settings } from './matrix.ts';

/** Never part of a key: the plots that a query asks for. */
const NOT_IN_KEYS = 'stats';

/** What people and old files know an entry by: "a=4|b=x", sorted by key. 4 and "4" look the same here. */
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
