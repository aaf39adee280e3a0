import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** Deeper ones are shown as they are: nobody reads such a key. */
const MOST_LEVELS = 24;

/** Values by their way through the objects, joined by dots. Lists and empty objects are values. */
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
