import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';

/**
 * The list that an object {"0": a, "1": b, ...} stands for: what pandas makes of a column. Undefined for any other
 * object; the keys have to be all the numbers from 0, and the items numbers or gaps.
 */
export function listOfIndexMap(object: JsonObject): readonly JsonValue[] | undefined {
  const keys = Object.keys(object);
  if (keys.length === 0 || keys[0] !== '0') return undefined;
  const items: JsonValue[] = [];
  for (const [index, key] of keys.entries()) {
    const item = object[key] ?? null;
    if (key !== String(index) || (typeof item !== 'number' && item !== null)) return undefined;
    items.push(item);
  }
  return items;
}
