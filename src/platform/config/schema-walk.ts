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
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: useUsual }) as JsonSchema;
}

/** A `default` beside a transformation is dropped by the library, which does not know on which side it is: ours is `usual`. */
function useUsual({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { usual } = jsonSchema;
  if (usual === undefined) return;
  jsonSchema.default = usual as NonNullable<typeof jsonSchema.default>;
  delete jsonSchema['usual'];
}

/** Made once for each schema: a file can have thousands of unknown keys. */
const known = new WeakMap<z.ZodType, JsonSchema>();

/** The keys that the schema names at a path. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const whole = known.get(schema) ?? toJsonSchema(schema);
  known.set(schema, whole);
  let places: readonly JsonSchema[] = alternatives(whole);
  for (const step of path) places = places.flatMap((place) => alternatives(stepInto(place, step)));
  return [...new Set(places.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function stepInto(schema: JsonSchema, step: PropertyKey): JsonSchema | undefined {
  if (typeof step === 'number') return schema.items;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return properties[String(step)];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function alternatives(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return [];
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternatives);
}
