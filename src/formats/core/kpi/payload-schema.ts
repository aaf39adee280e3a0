import type { JsonObject } from '../../../platform/core/text/json.ts';
import { type ObjectShape, payloadShape, type Shape } from './payload-shape.ts';
import type { Workload } from './workload.ts';

/** JSON Schema (draft 7) of the payloads of a workload, with the definitions that the old stores have. */
export function payloadSchema(workload: Workload): JsonObject {
  const definitions: Record<string, JsonObject> = {
    EntryStatus: {
      title: 'EntryStatus',
      description: 'An enumeration.',
      enum: ['Valid', 'Invalid'],
      type: 'string',
    },
  };
  const root = objectSchema(payloadShape(workload), definitions);
  return { ...root, definitions };
}

type Definitions = Record<string, JsonObject>;

function objectSchema({ name, fields, allowsMore }: ObjectShape, definitions: Definitions): JsonObject {
  const entries = Object.entries(fields);
  const required = entries.flatMap(([field, { presence }]) => (presence === 'required' ? [field] : []));
  return {
    title: name,
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([field, { shape }]) => [field, fieldSchema(field, shape, definitions)]),
    ),
    ...(required.length > 0 && { required }),
    ...(!allowsMore && { additionalProperties: false }),
  };
}

function fieldSchema(name: string, shape: Shape, definitions: Definitions): JsonObject {
  if (shape.type === 'object') {
    // The records of all KPIs are one definition.
    definitions[shape.name] ??= objectSchema(shape, definitions);
    return { $ref: `#/definitions/${shape.name}` };
  }
  if (shape.type === 'status') return { default: 'Valid', allOf: [{ $ref: '#/definitions/EntryStatus' }] };
  return { title: titled(name), ...typeSchema(shape) };
}

function typeSchema(shape: Exclude<Shape, ObjectShape>): JsonObject {
  switch (shape.type) {
    case 'text':
      return { type: 'string', ...(shape.pattern !== undefined && { pattern: shape.pattern }) };
    case 'number':
    case 'integer':
    case 'boolean':
      return { type: shape.type };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'uuid4':
      return { type: 'string', format: 'uuid4' };
    case 'list':
      return { type: 'array', ...(shape.of.type !== 'object' && { items: typeSchema(shape.of) }) };
    case 'map':
      return {
        type: 'object',
        ...(shape.of.type !== 'object' && { additionalProperties: typeSchema(shape.of) }),
      };
    case 'value':
      return {
        anyOf: [
          { type: 'number' },
          { type: 'integer' },
          { type: 'array', items: { type: 'number' } },
          { type: 'array', items: { type: 'integer' } },
        ],
      };
    default:
      return {};
  }
}

/** "kpi_settings_version" is "Kpi Settings Version", "@timestamp" is "@Timestamp". */
function titled(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/[A-Za-z]+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
}
