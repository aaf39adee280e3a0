import type {
  LogRecord,
  NumberedRecord,
  StoredBlock,
  StoredColumn,
} from '../../../core/points/point-storage.ts';
import { FIELD_TYPES, type FieldType, type Tags } from '../../../core/points/points.ts';

/** Rows as the driver returns them: 64-bit integers are strings. */
export interface LogRow {
  readonly number: string;
  readonly database: string;
  readonly kind: LogRecord['kind'];
  readonly precision: LogRecord['precision'];
  readonly received_ms: string;
  readonly received_ns: number;
  readonly keeps_not_finite: boolean;
  readonly body: Uint8Array;
}

export interface BlockRow {
  readonly id: string;
  readonly col: string;
  readonly tier: number;
  readonly first_ms: string;
  readonly first_ns: number;
  readonly last_ms: string;
  readonly last_ns: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

export interface ColumnRow {
  readonly number: string;
  readonly database: string;
  readonly type: number;
  readonly key: string;
}

export function toRecord(row: LogRow): NumberedRecord {
  const { database, kind, precision, body } = row;
  const receivedAt = { ms: Number(row.received_ms), ns: row.received_ns };
  return {
    number: Number(row.number),
    database,
    kind,
    precision,
    receivedAt,
    ...(row.keeps_not_finite && { keepsNotFinite: true }),
    body,
  };
}

export function toBlock(row: BlockRow): StoredBlock {
  return {
    id: Number(row.id),
    column: Number(row.col),
    tier: row.tier,
    first: { ms: Number(row.first_ms), ns: row.first_ns },
    last: { ms: Number(row.last_ms), ns: row.last_ns },
    count: row.count,
    bytes: row.bytes,
  };
}

export function toColumn({ number, database, type, key }: ColumnRow): StoredColumn {
  // Written by columnValues below.
  const [measurement, tags, field] = JSON.parse(key) as [string, Tags, string];
  const fieldType = FIELD_TYPES[type] as FieldType;
  return { number: Number(number), database, type: fieldType, measurement, tags, field };
}

export function columnValues({ number, database, type, measurement, tags, field }: StoredColumn): unknown[] {
  return [number, database, FIELD_TYPES.indexOf(type), JSON.stringify([measurement, tags, field])];
}

export function recordValues(number: number, record: LogRecord): unknown[] {
  const { database, kind, precision, receivedAt, keepsNotFinite = false, body } = record;
  return [number, database, kind, precision, receivedAt.ms, receivedAt.ns, keepsNotFinite, toBuffer(body)];
}

/** The driver sends buffers as they are, other arrays as text. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Statements take at most 65,535 parameters. */
export function valuesList(rows: number, columns: number): string {
  const row = (at: number) =>
    `(${Array.from({ length: columns }, (_, index) => `$${at * columns + index + 1}`).join(',')})`;
  return Array.from({ length: rows }, (_, at) => row(at)).join(',');
}
