import { z } from 'zod';

/** The part of JSON Schema that ours use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** What a file may hold, as JSON Schema: what is written, not what it is turned into. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The keys that the schema names at a path. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let places: readonly JsonSchema[] = alternatives(toJsonSchema(schema));
  for (const step of path) places = places.flatMap((place) => alternatives(stepInto(place, step)));
  return [...new Set(places.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

export function stepInto(schema: JsonSchema, step: PropertyKey): JsonSchema | undefined {
  if (typeof step === 'number') return schema.items;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return properties[String(step)];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function alternatives(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return [];
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternatives);
}
