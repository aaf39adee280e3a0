import { FIELD_TYPES, type FieldType } from '../points/points.ts';
import type { ByteKey } from '../series/byte-key-table.ts';
import type { ColumnRegistry, Series, SeriesIndex } from '../series/column-registry.ts';
import type { LineScratch } from './line-scratch.ts';
import { parseSeries, unescapeName } from './line-text.ts';

export interface ColumnContext {
  readonly registry: ColumnRegistry;
  readonly database: string;
  readonly columns: SeriesIndex;
  /** False for lines of the fast path, whose tags are not checked. */
  readonly mayCreate: boolean;
  /** Without escapes: expected again after the same line. */
  readonly isPlain: boolean;
}

/** InfluxDB ignores fields of this name, and refuses tags. */
const RESERVED = 'time';
const IGNORED = -2;
const KEY: ByteKey = { bytes: new Uint8Array(0), start: 0, end: 0, hash: 0, owner: 0 };

/**
 * Puts the column number of each field into the line; creates what is new if it may. When a field has another type than
 * before, the whole point is refused.
 */
export function findColumns(
  bytes: Uint8Array,
  line: LineScratch,
  context: ColumnContext,
): 'found' | 'unknown' | 'refused' {
  const { registry, columns } = context;
  KEY.bytes = bytes;
  KEY.start = line.seriesStart;
  KEY.end = line.seriesEnd;
  KEY.hash = line.seriesHash;
  KEY.owner = 0;
  const { mayCreate, isPlain } = context;
  const index = columns.seriesSpelled(KEY, isPlain);
  if (index < 0) return mayCreate ? createSeries(bytes, line, context) : 'unknown';
  let areFound = true;
  for (let i = 0; i < line.count; i++) {
    setFieldKey(line, i, index);
    const column = columns.columnSpelled(KEY, isPlain);
    line.column[i] = column;
    if (column < 0 || registry.typeCode(column) !== line.type[i]) areFound = false;
  }
  if (areFound) return 'found';
  return mayCreate ? createColumns(bytes, line, { ...context, series: columns.series(index) }) : 'unknown';
}

function setFieldKey(line: LineScratch, field: number, series: number): void {
  KEY.start = line.keyStart[field] as number;
  KEY.end = line.keyEnd[field] as number;
  KEY.hash = line.keyHash[field] as number;
  KEY.owner = series;
}

function createSeries(bytes: Uint8Array, line: LineScratch, context: ColumnContext): 'found' | 'refused' {
  const { measurement, tags } = parseSeries(bytes, line.seriesStart, line.seriesEnd);
  if (tags.some(([key]) => key === RESERVED)) {
    line.refuse(
      'reserved-name',
      `invalid tag key: input tag "time" on measurement "${measurement}" is invalid`,
    );
    return 'refused';
  }
  const series = context.columns.openSeries(measurement, tags);
  context.columns.rememberSeries(KEY, series);
  if (context.isPlain) context.columns.seriesSpelled(KEY, true);
  return createColumns(bytes, line, { ...context, series });
}

function createColumns(
  bytes: Uint8Array,
  line: LineScratch,
  context: ColumnContext & { readonly series: Series },
): 'found' | 'refused' {
  const { columns, series } = context;
  const names = Array.from({ length: line.count }, (_, i) =>
    unescapeName(bytes, line.keyStart[i] as number, line.keyEnd[i] as number),
  );
  if (names.every((name) => name === RESERVED)) {
    const { measurement } = series;
    line.refuse(
      'reserved-name',
      `invalid field name: input field "time" on measurement "${measurement}" is invalid`,
    );
    return 'refused';
  }
  // All are checked before any is created, so that a refused point leaves no empty columns.
  if (names.some((name, i) => isConflict(name, line, { columns, series, field: i }))) return 'refused';
  for (const [i, name] of names.entries()) {
    if (name === RESERVED) line.column[i] = IGNORED;
    else if (isConflict(name, line, { columns, series, field: i })) return 'refused';
    else line.column[i] = openColumn(name, line, { ...context, field: i });
  }
  return 'found';
}

interface FieldContext {
  readonly columns: SeriesIndex;
  readonly series: Series;
  readonly field: number;
}

function isConflict(name: string, line: LineScratch, { columns, series, field }: FieldContext): boolean {
  const existing = columns.typeOf(series.measurement, name);
  const type = FIELD_TYPES[line.type[field] as number];
  if (name === RESERVED || existing === undefined || existing === type) return false;
  const what = `input field "${name}" on measurement "${series.measurement}" is type ${type}`;
  return line.refuse('type-conflict', `field type conflict: ${what}, already exists as type ${existing}`) < 0;
}

function openColumn(name: string, line: LineScratch, context: ColumnContext & FieldContext): number {
  const { registry, database, columns, series, field, isPlain } = context;
  const type = FIELD_TYPES[line.type[field] as number] as FieldType;
  const column = series.columns.get(name) ?? registry.create(database, series, [name, type]);
  setFieldKey(line, field, series.index);
  if (columns.columnSpelled(KEY, isPlain) >= 0) return column;
  columns.rememberColumn(KEY, column);
  if (isPlain) columns.columnSpelled(KEY, true);
  return column;
}
