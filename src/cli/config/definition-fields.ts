import type { z } from 'zod';
import { experimentSchema, subsystemSchema, topSchema } from '../../home/config/dashboard-schema.ts';
import { fileSchema } from '../../home/config/native-schema.ts';
import { alternatives, type JsonSchema, toJsonSchema } from '../../platform/config/schema-walk.ts';

/** One key of a definition, for people. */
export interface Field {
  readonly scope: 'top' | 'experiment' | 'subsystem';
  /** Dotted, without the scope; "*" is a name of one's own: "sources.*.git". */
  readonly key: string;
  readonly type: string;
  readonly default?: string;
  readonly isMandatory: boolean;
  readonly description: string;
}

export type Dialect = 'dashboard' | 'native';

/** Every key of a dialect with what it means. */
export function fieldsOf(dialect: Dialect): readonly Field[] {
  if (dialect === 'dashboard') {
    return [
      ...fieldsIn(topSchema),
      ...listFields(toJsonSchema(experimentSchema), 'experiment'),
      ...listFields(toJsonSchema(subsystemSchema), 'subsystem'),
    ];
  }
  return fieldsIn(fileSchema).map(withNativeScope);
}

/** Every key below one schema with what it means. */
export function fieldsIn(schema: z.ZodType): readonly Field[] {
  return listFields(toJsonSchema(schema), 'top');
}

function withNativeScope(field: Field): Field {
  for (const [prefix, scope] of [
    ['experiments.*.', 'experiment'],
    ['tasks.*.', 'subsystem'],
  ] as const) {
    if (field.key.startsWith(prefix)) return { ...field, scope, key: field.key.slice(prefix.length) };
  }
  return field;
}

function listFields(schema: JsonSchema, scope: Field['scope'], prefix = ''): readonly Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]): readonly Field[] => [
    {
      scope,
      key: `${prefix}${key}`,
      type: typeName(field),
      ...(field.default === undefined ? {} : { default: asText(field.default) }),
      isMandatory: schema.required?.includes(key) ?? false,
      description: field.description ?? '',
    },
    ...inside(field, scope, `${prefix}${key}`),
  ]);
  return own;
}

/** Keys of mappings below; a list's are those of its items, unless the same can be written with names. */
function inside(schema: JsonSchema, scope: Field['scope'], path: string): readonly Field[] {
  const parts = alternatives(schema);
  const hasNames = parts.some(({ additionalProperties }) => typeof additionalProperties === 'object');
  const fields = parts.flatMap((part) => {
    const named = typeof part.additionalProperties === 'object' ? part.additionalProperties : undefined;
    return [
      ...listFields(part, scope, `${path}.`),
      ...alternatives(named).flatMap((each) => inside(each, scope, `${path}.*`)),
      ...alternatives(hasNames ? undefined : part.items).flatMap((item) => inside(item, scope, path)),
    ];
  });
  return [...new Map(fields.map((field) => [field.key, field])).values()];
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'mapping',
  null: 'null',
};

function bracketed(type: string): string {
  return type.includes(' or ') ? `(${type})` : type;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeName(schema: JsonSchema): string {
  const names = alternatives(schema).map((part) => {
    if (part.enum) return part.enum.map(String).join(' | ');
    if (part.const !== undefined) return JSON.stringify(part.const);
    if (part.type === 'array') return `list of ${bracketed(part.items ? typeName(part.items) : 'anything')}`;
    const types = typeof part.type === 'string' ? [part.type] : (part.type ?? []);
    return types.length === 0 ? 'anything' : types.map((type) => NAMES[type] ?? type).join(' or ');
  });
  return [...new Set(names)].join(' or ');
}
