import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** The field of a name; with dots, what lies inside of it: data.run_id. */
export function fieldAt(results: JsonObject, name: string): JsonValue | undefined {
  let at: JsonValue | undefined = results;
  for (const step of name.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}
