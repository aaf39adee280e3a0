import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { type ExactJson, JsonNumber, parseExactJson } from '../../platform/core/text/exact-json.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';

/**
 * JSON as benchmark tools write it: C++ and Python leave bare NaN and Infinity, editors a byte order mark.
 * The strict parser goes first because it is many times quicker.
 */
export function parseResultJson(text: string, hint: string): JsonValue {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') throw new NightmarkError('IMPORT_EMPTY', 'There is nothing in it.', { hint });
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return parseLenient(body, hint);
  }
}

/** Nested deeper than any result; beyond it a walk could exhaust the stack. */
export const MAX_DEPTH = 400;

export function tooDeep(): NightmarkError {
  return new NightmarkError('IMPORT_TOO_DEEP', `It is nested more than ${MAX_DEPTH} levels deep.`, {
    hint: 'Write the results as a flat list of objects, one for each benchmark.',
  });
}

function parseLenient(body: string, hint: string): JsonValue {
  try {
    return toPlain(parseExactJson(body));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NightmarkError('IMPORT_NOT_JSON', `It is not valid JSON: ${messageOf(cause)}.`, {
      hint,
      cause,
    });
  }
}

export function toPlain(value: ExactJson): JsonValue {
  if (value instanceof JsonNumber) return value.value;
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, field]) => [key, toPlain(field)]));
  }
  return Array.isArray(value) ? value.map(toPlain) : (value as string | boolean | null);
}

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
