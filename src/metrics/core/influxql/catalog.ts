import type { PointReader, ReadEnd } from '../points/point-reader.ts';
import type { StoredColumn } from '../points/point-storage.ts';
import type { FieldType } from '../points/points.ts';
import { ALL_TIME, type Span, toRange } from './condition.ts';
import { toVector, type Vector } from './vector.ts';

/** A series that a query reads: stored, or made by an inner query. */
export interface Member {
  readonly name: string;
  /** As line protocol writes name and tags. */
  readonly key: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Number of the stored column of a field. */
  column(field: string): number | undefined;
  load(field: string, type: FieldType, part?: Part): Promise<Vector | undefined>;
}

/** The requested part of a field: all by default. */
export interface Part {
  readonly span?: Span;
  /** More values than these are not needed. */
  readonly end?: ReadEnd;
}

/** Everything under one measurement. */
export interface Table {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldType>;
  readonly tagKeys: ReadonlySet<string>;
  readonly members: readonly Member[];
}

interface Known {
  readonly columns: readonly StoredColumn[];
  readonly mark: string;
  readonly tables: readonly Table[];
}

const CACHE = new WeakMap<PointReader, Map<string, Known>>();

/** Measurements of a database by name, their series by key. Cached until the columns change. */
export function tablesOf(reader: PointReader, database: string): readonly Table[] {
  const columns = reader.columns(database);
  const known = CACHE.get(reader) ?? new Map<string, Known>();
  CACHE.set(reader, known);
  const cached = known.get(database);
  if (cached?.columns === columns) return cached.tables;
  // Numbers are assigned once, so that the same count with the same sum means the same columns.
  const mark = `${columns.length}:${columns.reduce((sum, { number }) => sum + number, 0)}`;
  const tables = cached?.mark === mark ? cached.tables : makeTables(reader, columns);
  known.set(database, { columns, mark, tables });
  return tables;
}

export function seriesKey({ name, tags }: Pick<Member, 'name' | 'tags'>): string {
  const escaped = (text: string) => (/[, =]/.test(text) ? text.replace(/[, =]/g, '\\$&') : text);
  let key = name.replace(/[, ]/g, '\\$&');
  for (const [tag, value] of tags) key += `,${escaped(tag)}=${escaped(value)}`;
  return key;
}

interface Draft {
  readonly name: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly columns: Map<string, StoredColumn>;
}

function makeTables(reader: PointReader, columns: readonly StoredColumn[]): readonly Table[] {
  const measurements = new Map<string, Map<string, Draft>>();
  for (const column of columns) {
    const drafts = measurements.get(column.measurement) ?? new Map<string, Draft>();
    measurements.set(column.measurement, drafts);
    const tags = new Map(column.tags);
    const key = seriesKey({ name: column.measurement, tags });
    const draft = drafts.get(key) ?? { name: column.measurement, tags, columns: new Map() };
    drafts.set(key, draft);
    draft.columns.set(column.field, column);
  }
  return [...measurements]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, drafts]) => makeTable(reader, name, drafts));
}

function makeTable(reader: PointReader, name: string, drafts: ReadonlyMap<string, Draft>): Table {
  const fields = new Map<string, FieldType>();
  const tagKeys = new Set<string>();
  const members = [...drafts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, draft]) => toMember(reader, key, draft));
  for (const member of members) {
    for (const tag of member.tags.keys()) tagKeys.add(tag);
    for (const [field, type] of member.fields) fields.set(field, strongest(fields.get(field), type));
  }
  return { name, fields, tagKeys, members };
}

function toMember(reader: PointReader, key: string, { name, tags, columns }: Draft): Member {
  return {
    name,
    key,
    tags,
    fields: new Map([...columns.values()].map(({ field, type }) => [field, type])),
    column: (field) => columns.get(field)?.number,
    load: async (field, type, { span = ALL_TIME, end } = {}) => {
      const column = columns.get(field);
      if (column === undefined || span.min > span.max) return undefined;
      return toVector(await reader.read(column.number, toRange(span), end), type);
    },
  };
}

const STRENGTH: readonly FieldType[] = ['float', 'integer', 'unsigned', 'string', 'boolean'];

/** Where a field has several types, the query sees one: floats before integers before strings. */
export function strongest(a: FieldType | undefined, b: FieldType): FieldType {
  return a !== undefined && STRENGTH.indexOf(a) <= STRENGTH.indexOf(b) ? a : b;
}

/** By code units, on every machine the same. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
