import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** The fields of an object; none where the value is something else or missing. */
export function objectOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  return isJsonObject(value) ? (value as Readonly<Record<string, JsonValue>>) : {};
}

/** The items of a list; none where the value is something else or missing. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
