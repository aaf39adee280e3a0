import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { FieldType, PayloadRules, Workload } from './workload.ts';

/** A version as https://semver.org has it, nothing less: three numbers without leading zeros, then pre-release and build. */
export const SEMVER_PATTERN =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$';

/** What a document may look like: the one source of the validation and of the JSON Schema. */
export type Shape = ScalarShape | ListShape | MapShape | ObjectShape;

interface ScalarShape {
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'time' | 'uuid4' | 'status' | 'value' | 'any';
  /** Of a text. */
  readonly pattern?: string;
}
interface ListShape {
  readonly type: 'list';
  readonly of: Shape;
}
interface MapShape {
  readonly type: 'map';
  readonly of: Shape;
}
export interface ObjectShape {
  readonly type: 'object';
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldShape>>;
  /** Fields that are not declared are not checked; otherwise they are refused. */
  readonly allowsMore: boolean;
}

interface FieldShape {
  readonly shape: Shape;
  /** `optional` may be absent or null; `usual` may be absent. */
  readonly presence: 'required' | 'optional' | 'usual';
}

/** The payloads of a workload. Where it declares no types of labels, metadata or results, these are not checked. */
export function payloadShape({ name, kpis, payload }: Workload): ObjectShape {
  const labels = fieldsOf(payload?.labelTypes ?? {});
  const hasLabels = Object.keys(labels).length > 0;
  const settings: ObjectShape = { type: 'object', name: 'Settings', fields: labels, allowsMore: !hasLabels };
  const results = fieldsOf(payload?.resultTypes ?? {});
  const hasResults = Object.keys(results).length > 0;
  const prefix = pascal(name);
  const kpi = kpiShape(`${prefix}KPI`, labels, hasLabels);
  const kpiFields = Object.fromEntries(kpis.map(({ definition }) => [definition.name, required(kpi)]));
  return object('Payload', {
    metadata: required(metadataShape(settings, payload?.metadataTypes)),
    results: required({ type: 'object', name: 'Results', fields: results, allowsMore: !hasResults }),
    kpis: required(object(`${prefix}KPIs`, kpiFields)),
  });
}

const TEXT: Shape = { type: 'text' };
const STATUS: FieldShape = { shape: { type: 'status' }, presence: 'usual' };
const LINKS: Shape = { type: 'map', of: TEXT };

const TYPES: Readonly<Record<FieldType, Shape>> = {
  text: TEXT,
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  semver: { type: 'text', pattern: SEMVER_PATTERN },
  time: { type: 'time' },
  numbers: { type: 'list', of: { type: 'number' } },
  any: { type: 'any' },
  links: LINKS,
};

function metadataShape(settings: ObjectShape, types: PayloadRules['metadataTypes']): ObjectShape {
  const own = { lts_schema_version: 'text', ...types } as const;
  return {
    type: 'object',
    name: 'Metadata',
    fields: {
      ...fieldsOf(own),
      status: STATUS,
      start: required({ type: 'time' }),
      end: required({ type: 'time' }),
      settings: required(settings),
      test_uuid: required({ type: 'uuid4' }),
      urls: optional({ type: 'list', of: TEXT }),
      exit_code: optional({ type: 'integer' }),
    },
    allowsMore: types === undefined,
  };
}

function kpiShape(name: string, labels: ObjectShape['fields'], hasLabels: boolean): ObjectShape {
  const labelShape = (label: string, otherwise: Shape) => optional(labels[label]?.shape ?? otherwise);
  return {
    type: 'object',
    name,
    fields: {
      ...labels,
      unit: required(TEXT),
      help: required(TEXT),
      '@timestamp': required({ type: 'time' }),
      value: required({ type: 'value' }),
      test_uuid: required({ type: 'uuid4' }),
      lower_better: optional({ type: 'boolean' }),
      status: STATUS,
      // Where a test ran may be left out of a KPI even when it is a label of the test.
      ci_engine: labelShape('ci_engine', TEXT),
      run_id: labelShape('run_id', TEXT),
      test_path: labelShape('test_path', TEXT),
      urls: labelShape('urls', LINKS),
      ignored_for_regression: optional({ type: 'boolean' }),
      format: optional(TEXT),
      full_format: optional(TEXT),
      divisor: optional({ type: 'number' }),
      divisor_unit: optional(TEXT),
    },
    allowsMore: !hasLabels,
  };
}

/** Links and what may be anything may also be missing. */
function fieldsOf(types: Readonly<Record<string, FieldType>>): ObjectShape['fields'] {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const mayLack = type === 'links' || type === 'any';
      return [name, mayLack ? optional(TYPES[type]) : required(TYPES[type])];
    }),
  );
}

function object(name: string, fields: ObjectShape['fields']): ObjectShape {
  return { type: 'object', name, fields, allowsMore: false };
}

function required(shape: Shape): FieldShape {
  return { shape, presence: 'required' };
}

function optional(shape: Shape): FieldShape {
  return { shape, presence: 'optional' };
}

/** "fine-tuning" is FineTuning. */
function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

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
      return { type: OPENSEARCH_TYPES[shape.type] };
  }
}

const FLAT: JsonObject = { type: 'flat_object' };
const OPENSEARCH_TYPES = {
  ...{ text: 'keyword', uuid4: 'keyword', status: 'keyword', boolean: 'boolean' },
  ...{ number: 'double', integer: 'long', value: 'double', time: 'date' },
} as const;
