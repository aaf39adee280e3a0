import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** The object with another value at a path; undefined takes it away. What is in the way and no object is replaced. */
export function setPath(
  object: JsonObject,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  const old = Object.hasOwn(object, key) ? object[key] : undefined;
  if (rest.length > 0) {
    // Nothing is made only to take something out of it.
    if (value === undefined && !isJsonObject(old)) return object;
    return { ...object, [key]: setPath(isJsonObject(old) ? old : {}, rest, value) };
  }
  if (value !== undefined) return { ...object, [key]: value };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
