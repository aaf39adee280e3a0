import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** A condition on a value, with its name for messages. */
export interface Condition {
  readonly name: string;
  holds(value: JsonValue): boolean;
}

export interface ConfigRules {
  /** Used where the configuration has no value, or null. */
  readonly defaults?: JsonObject;
  readonly acceptable?: Readonly<Record<string, readonly JsonValue[]>>;
  readonly conditions?: Readonly<Record<string, Condition>>;
  /** Fields whose list may be empty; ["notify"] by default. */
  readonly permitEmpty?: readonly string[];
}

export type CheckedConfig =
  | { readonly isValid: true; readonly config: JsonObject }
  | { readonly isValid: false; readonly message: string };

export const nonNegative: Condition = {
  name: 'must be non-negative',
  holds: (value) => (Number.isInteger(value) && (value as number) >= 0) || typeof value === 'boolean',
};
export const isString: Condition = { name: 'must be string', holds: (value) => typeof value === 'string' };
export const isBoolean: Condition = { name: 'must be bool', holds: (value) => typeof value === 'boolean' };

/** The configuration with its defaults, lists without duplicates and in their order; or the first error. */
export function checkConfig(config: JsonObject, rules: ConfigRules = {}): CheckedConfig {
  const { defaults = {}, permitEmpty = ['notify'] } = rules;
  const checked: Record<string, JsonValue> = { ...defaults };
  for (const [field, value] of Object.entries(config)) {
    if (value === null) continue;
    if (!Array.isArray(value)) {
      const message = errorOf(field, value, rules);
      if (message !== undefined) return { isValid: false, message };
      checked[field] = value;
      continue;
    }
    if (value.length === 0 && !permitEmpty.includes(field)) {
      return { isValid: false, message: `Config field ${field} is not permitted to be empty` };
    }
    for (const item of value) {
      const message = errorOf(field, item, rules);
      if (message !== undefined) return { isValid: false, message };
    }
    checked[field] = value.filter((item, index) => value.findIndex((other) => isSame(other, item)) === index);
  }
  return { isValid: true, config: checked };
}

/** Equal, or lists of which the second has every item of the first, in any order. */
export function matchValues(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return isSame(expected, actual);
  return expected.every((item) => actual.some((other) => isSame(item, other)));
}

function errorOf(field: string, value: JsonValue, rules: ConfigRules): string | undefined {
  const { acceptable = {}, conditions = {} } = rules;
  const allowed = Object.hasOwn(acceptable, field) ? acceptable[field] : undefined;
  if (allowed && !allowed.some((item) => isSame(item, value))) {
    return `Invalid value ${shown(value)} for field ${field}`;
  }
  const condition = Object.hasOwn(conditions, field) ? conditions[field] : undefined;
  if (condition && !condition.holds(value)) {
    return `${shown(value)} does not meet precondition "${condition.name}" for field ${field}`;
  }
  return undefined;
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As Python compares: true is 1. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
    );
  }
  const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
  return plain(a) === plain(b);
}
