import type { JsonObject } from '../../../platform/core/text/json.ts';
import { type ObjectShape, payloadShape, type Shape } from './payload-shape.ts';
import type { Workload } from './workload.ts';

/**
 * How OpenSearch is to understand the payloads of a workload, field by field: the body of "PUT index". The index that an
 * export makes has flat objects instead, so that new labels need no new mapping; this one is for those who aggregate.
 */
export function openSearchMapping(workload: Workload): JsonObject {
  return { mappings: objectMapping(payloadShape(workload)) };
}

function objectMapping({ fields }: ObjectShape): JsonObject {
  const entries = Object.entries(fields).map(([name, { shape }]) => [name, mappingOf(shape)] as const);
  return { properties: Object.fromEntries(entries) };
}

function mappingOf(shape: Shape): JsonObject {
  switch (shape.type) {
    case 'object':
      return Object.keys(shape.fields).length === 0 ? FLAT : objectMapping(shape);
    case 'list':
      return mappingOf(shape.of); // a field of OpenSearch may hold several values
    case 'map':
    case 'any':
      return FLAT;
    default:
      return { type: TYPES[shape.type] };
  }
}

const FLAT: JsonObject = { type: 'flat_object' };
const TYPES = {
  ...{ text: 'keyword', uuid4: 'keyword', status: 'keyword', boolean: 'boolean' },
  ...{ number: 'double', integer: 'long', value: 'double', time: 'date' },
} as const;
