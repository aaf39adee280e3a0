import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { LogDamage, LogRecord, NumberedRecord, Precision } from '../../../core/points/point-storage.ts';

/** A file of the log, named after the number of its first record. */
export interface Segment {
  readonly file: string;
  readonly first: number;
}

export function segmentFile(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(16, '0')}.log`);
}

/** Oldest first. */
function listSegments(folder: string): readonly Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => ({ file: join(folder, name), first: Number(name.slice(0, 16)) }));
}

/** The position after a record: a reader resumes there instead of at the start of the file. */
export interface LogCursor {
  file: string;
  number: number;
  end: number;
}

interface Since {
  readonly after: number;
  readonly cursor?: LogCursor;
}

/** Nothing when another process has flushed and deleted it. Memory is bounded by the size of a segment and one record. */
function* readSegment(
  { file }: Segment,
  { after, cursor }: Since = { after: 0 },
): Generator<NumberedRecord | LogDamage> {
  const from = cursor?.file === file && cursor.number === after ? cursor.end : 0;
  const bytes = readIfExists(file, from);
  for (let at = 0; ; ) {
    const found = findFrame(bytes, at, after);
    if (found.state === 'end') return;
    if (found.state === 'record') {
      if (cursor) Object.assign(cursor, { file, number: found.record.number, end: from + found.end });
      yield found.record;
    } else if (found.state !== 'skipped') {
      // The length may be damaged, unless a valid record follows right after it.
      const isSkippable = found.state === 'damaged' && findFrame(bytes, found.end).state === 'record';
      const end = isSkippable ? found.end : bytes.length;
      yield { place: file, at: from + at, bytes: end - at, state: found.state };
      if (!isSkippable) return;
    }
    at = found.end;
  }
}

/** Records with a number beyond `after`, a segment at a time. A torn end may be a write in progress. */
export function* readRecords(folder: string, { after, cursor }: Since): Generator<NumberedRecord> {
  const segments = listSegments(folder);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next && next.first <= after + 1) continue;
    const since = { after, ...(cursor && { cursor }) };
    for (const item of readSegment(segment, since)) if ('number' in item) yield item;
  }
}

/** The log of an earlier process: number of the last record, and damage. */
export function inspectLog(folder: string): { readonly last: number; readonly damage: readonly LogDamage[] } {
  let last = 0;
  const damage: LogDamage[] = [];
  for (const segment of listSegments(folder)) {
    last = Math.max(last, segment.first - 1);
    for (const item of readSegment(segment)) {
      if ('number' in item) last = Math.max(last, item.number);
      else damage.push(item);
    }
  }
  return { last, damage };
}

/** Deletes the segments all of whose records are flushed; `last` is the number of the newest record. */
export function deleteFlushed(
  folder: string,
  { upTo, last }: { readonly upTo: number; readonly last: number },
): void {
  const segments = listSegments(folder);
  for (const [index, { file }] of segments.entries()) {
    const end = (segments[index + 1]?.first ?? last + 1) - 1;
    if (end <= upTo) rmSync(file, { force: true });
  }
}

export function logBytes(folder: string): number {
  return listSegments(folder).reduce(
    (sum, { file }) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function readIfExists(file: string, from: number): Buffer {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(fd).size - from));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Length and checksum of the payload, 4 bytes each, little-endian. */
const HEADER_BYTES = 8;
const FIXED_BYTES = 24;
const KEEPS_NOT_FINITE = 0x10;
const KINDS = ['lines', 'instruction'] as const;
const PRECISIONS: readonly Precision[] = ['n', 'u', 'ms', 's', 'm', 'h'];

/** A record as a frame of the log: header and body, to be written together. */
export function toFrame(record: LogRecord, number: number): readonly [header: Buffer, body: Uint8Array] {
  const database = Buffer.from(record.database);
  const header = Buffer.alloc(HEADER_BYTES + FIXED_BYTES + database.length);
  header.writeUInt32LE(FIXED_BYTES + database.length + record.body.length, 0);
  header.writeDoubleLE(number, 8);
  header.writeDoubleLE(record.receivedAt.ms, 16);
  header.writeUInt32LE(record.receivedAt.ns, 24);
  header.writeUInt8(KINDS.indexOf(record.kind) | (record.keepsNotFinite ? KEEPS_NOT_FINITE : 0), 28);
  header.writeUInt8(PRECISIONS.indexOf(record.precision), 29);
  header.writeUInt16LE(database.length, 30);
  database.copy(header, 32);
  const sum = crc32(header.subarray(HEADER_BYTES));
  // Continuing with no bytes would restart the checksum.
  header.writeUInt32LE(record.body.length === 0 ? sum : crc32(record.body, sum), 4);
  return [header, record.body];
}

/** What is at an offset of a segment. */
export type Found =
  | { readonly state: 'record'; readonly record: NumberedRecord; readonly end: number }
  | { readonly state: 'end' }
  /** Its number is not beyond `after`: skipped. */
  | { readonly state: 'skipped'; readonly end: number }
  /** The bytes end before the record does. */
  | { readonly state: 'torn'; readonly end: number }
  /** The checksum is wrong; `end` is where the next one would begin. */
  | { readonly state: 'damaged'; readonly end: number };

function findFrame(bytes: Buffer, at: number, after = 0): Found {
  if (at === bytes.length) return { state: 'end' };
  if (at + HEADER_BYTES > bytes.length) return { state: 'torn', end: bytes.length };
  const length = bytes.readUInt32LE(at);
  const end = at + HEADER_BYTES + length;
  if (end > bytes.length) return { state: 'torn', end: bytes.length };
  if (length >= FIXED_BYTES && bytes.readDoubleLE(at + HEADER_BYTES) <= after)
    return { state: 'skipped', end };
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
