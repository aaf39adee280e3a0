import type { Schema } from '../../src/platform/server/route-config.ts';

/** Where a value is not what a schema says, in words; empty when it is. */
export function schemaProblems(value: unknown, schema: Schema, place = '$'): readonly string[] {
  if (schema.enum && !(schema.enum as readonly unknown[]).includes(value))
    return [`${place} is ${JSON.stringify(value)}, none of ${schema.enum.join(', ')}`];
  if (schema.type !== undefined && !isOf(schema.type, value))
    return [`${place} is ${JSON.stringify(value)?.slice(0, 60)}, no ${schema.type}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((one, at) => schemaProblems(one, items, `${place}[${at}]`)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${place}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const known = schema.properties?.[name] ?? schema.additionalProperties;
      return known ? schemaProblems(one, known, `${place}.${name}`) : [];
    }),
  ];
}

function isOf(type: NonNullable<Schema['type']>, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
