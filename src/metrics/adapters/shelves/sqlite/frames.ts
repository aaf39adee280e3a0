import { crc32 } from 'node:zlib';
import type { LogRecord, NumberedRecord, Precision } from '../../../core/points/point-storage.ts';

/** Length and checksum of what follows, 4 bytes each, little-endian. */
const HEADER_BYTES = 8;
const FIXED_BYTES = 24;
const KEEPS_NOT_FINITE = 0x10;
const KINDS = ['lines', 'instruction'] as const;
const PRECISIONS: readonly Precision[] = ['n', 'u', 'ms', 's', 'm', 'h'];

/** A record as the log has it: head and body, to be written together. */
export function toFrame(record: LogRecord, number: number): readonly [head: Buffer, body: Uint8Array] {
  const database = Buffer.from(record.database);
  const head = Buffer.alloc(HEADER_BYTES + FIXED_BYTES + database.length);
  head.writeUInt32LE(FIXED_BYTES + database.length + record.body.length, 0);
  head.writeDoubleLE(number, 8);
  head.writeDoubleLE(record.receivedAt.ms, 16);
  head.writeUInt32LE(record.receivedAt.ns, 24);
  head.writeUInt8(KINDS.indexOf(record.kind) | (record.keepsNotFinite ? KEEPS_NOT_FINITE : 0), 28);
  head.writeUInt8(PRECISIONS.indexOf(record.precision), 29);
  head.writeUInt16LE(database.length, 30);
  database.copy(head, 32);
  const sum = crc32(head.subarray(HEADER_BYTES));
  // Going on with no bytes would begin the checksum anew.
  head.writeUInt32LE(record.body.length === 0 ? sum : crc32(record.body, sum), 4);
  return [head, record.body];
}

/** What lies at a place of a segment. */
export type Found =
  | { readonly state: 'record'; readonly record: NumberedRecord; readonly end: number }
  | { readonly state: 'end' }
  /** Its number is not beyond those that were read before: not looked at. */
  | { readonly state: 'passed'; readonly end: number }
  /** The bytes end before the record does. */
  | { readonly state: 'torn'; readonly end: number }
  /** The checksum is wrong; `end` is where the next one would begin. */
  | { readonly state: 'damaged'; readonly end: number };

export function findFrame(bytes: Buffer, at: number, after = 0): Found {
  if (at === bytes.length) return { state: 'end' };
  if (at + HEADER_BYTES > bytes.length) return { state: 'torn', end: bytes.length };
  const length = bytes.readUInt32LE(at);
  const end = at + HEADER_BYTES + length;
  if (end > bytes.length) return { state: 'torn', end: bytes.length };
  if (length >= FIXED_BYTES && bytes.readDoubleLE(at + HEADER_BYTES) <= after)
    return { state: 'passed', end };
  const payload = bytes.subarray(at + HEADER_BYTES, end);
  if (length < FIXED_BYTES || crc32(payload) !== bytes.readUInt32LE(at + 4)) return { state: 'damaged', end };
  return { state: 'record', record: toRecord(payload), end };
}

function toRecord(payload: Buffer): NumberedRecord {
  const flags = payload.readUInt8(20);
  const start = FIXED_BYTES + payload.readUInt16LE(22);
  return {
    number: payload.readDoubleLE(0),
    receivedAt: { ms: payload.readDoubleLE(8), ns: payload.readUInt32LE(16) },
    kind: KINDS[flags & 15] ?? 'lines',
    ...(flags & KEEPS_NOT_FINITE ? { keepsNotFinite: true } : {}),
    precision: PRECISIONS[payload.readUInt8(21)] ?? 'n',
    database: payload.toString('utf8', FIXED_BYTES, start),
    body: payload.subarray(start),
  };
}
