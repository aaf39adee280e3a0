import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** Deeper objects stay values: nobody reads such a key. */
const MOST_LEVELS = 24;

/** Values by their path through nested objects, joined by dots. Lists and empty objects are values. */
export function flatKeys(object: JsonObject, prefix = ''): ReadonlyMap<string, JsonValue> {
  const flat = new Map<string, JsonValue>();
  gather(object, prefix, { flat, levels: 0 });
  return flat;
}

function gather(
  object: JsonObject,
  prefix: string,
  into: { readonly flat: Map<string, JsonValue>; readonly levels: number },
): void {
  for (const [key, value] of Object.entries(object)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isInner = isJsonObject(value) && Object.keys(value).length > 0 && into.levels < MOST_LEVELS;
    if (isInner) gather(value, name, { ...into, levels: into.levels + 1 });
    else into.flat.set(name, value);
  }
}

/** The object with another value at a path; undefined removes it. A non-object on the path is replaced. */
export function setPath(
  object: JsonObject,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  const old = Object.hasOwn(object, key) ? object[key] : undefined;
  if (rest.length > 0) {
    // Removing must not create objects on the way.
    if (value === undefined && !isJsonObject(old)) return object;
    return { ...object, [key]: setPath(isJsonObject(old) ? old : {}, rest, value) };
  }
  if (value !== undefined) return { ...object, [key]: value };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
