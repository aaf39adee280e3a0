import { type ExactObject, JsonNumber } from '../../../platform/core/text/exact-json.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Fact, FactColumn, FactGroup, FactValue } from './explanation.ts';

/** Deeper and longer things are data, no facts. */
const MAX_DEPTH = 4;
const MAX_FACTS = 200;
const MAX_TEXT = 500;

/** A value that can be compared: small lists count as their text. */
export function toFactValue(value: JsonValue | undefined): FactValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : undefined;
  if (typeof value !== 'object') return value;
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : undefined;
}

/** Texts and switches of a document, by their path: "build.compiler". Numbers in it are results, not facts. */
export function textFacts(document: JsonObject | ExactObject, group: FactGroup): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [path, value] of textsIn(document, [])) {
    if (facts.length === MAX_FACTS) break;
    const known = toFactValue(value);
    if (known !== undefined) facts.push({ group, name: path.join('.'), value: known });
  }
  return facts;
}

type Text = readonly [path: readonly string[], value: string | boolean];

function* textsIn(document: JsonObject | ExactObject, path: readonly string[]): Generator<Text> {
  for (const [key, value] of document instanceof Map ? document : Object.entries(document)) {
    const place = [...path, key];
    if (typeof value === 'string' || typeof value === 'boolean') yield [place, value];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && !(value instanceof JsonNumber) && place.length < MAX_DEPTH) yield* textsIn(value, place);
  }
}

/** Every field of a flat document, numbers included: settings. */
export function settingFacts(settings: JsonObject, group: FactGroup): readonly Fact[] {
  return Object.entries(settings)
    .slice(0, MAX_FACTS)
    .flatMap(([name, value]) => {
      const known = toFactValue(value);
      return known === undefined ? [] : [{ group, name, value: known }];
    });
}

/** A text that is another at every point (a time, a name of a folder) says nothing about a change. */
export function isTelling({ group, values }: FactColumn): boolean {
  if (group === 'source' || group === 'telemetry' || group === 'machine') return true;
  const known = values.filter((value) => value !== undefined);
  return known.length < ENOUGH || new Set(known).size < known.length;
}

const ENOUGH = 5;
