import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { SpoolPosition } from '../../core/forward/spool.ts';

/** Length, checksum and number of lines, four bytes each. */
const HEAD = 12;
const NAME = /^(\d{10})\.spool$/;

/** One file of a queue. */
export class Segment {
  readonly number: number;
  readonly path: string;
  /** Not released yet. */
  lines = 0;
  bytes = 0;
  #file: number | undefined;

  static create(folder: string, number: number): Segment {
    const segment = new Segment(folder, number);
    segment.#file = openSync(segment.path, 'ax', 0o600);
    return segment;
  }

  constructor(folder: string, number: number) {
    this.number = number;
    this.path = join(folder, `${String(number).padStart(10, '0')}.spool`);
  }

  get isWritable(): boolean {
    return this.#file !== undefined;
  }

  append(body: Uint8Array, lines: number): void {
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(body.length, 0);
    head.writeUInt32LE(crc32(body), 4);
    head.writeUInt32LE(lines, 8);
    const file = this.#file as number; // only called for writable segments
    try {
      if (writevSync(file, [head, body]) !== HEAD + body.length) throw new Error('partial write');
    } catch (cause) {
      ftruncateSync(file, this.bytes);
      throw new NightmarkError(
        'FORWARD_NOT_BUFFERED',
        `${this.path} cannot be written: ${messageOf(cause)}`,
        {
          hint: 'Make room on that disk, or make "buffer" of metrics.forward smaller.',
          cause,
        },
      );
    }
    this.bytes += HEAD + body.length;
    this.lines += lines;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }
}

export interface ReadSegment {
  readonly bodies: readonly Uint8Array[];
  readonly lines: number;
  readonly end: number;
  readonly isTorn: boolean;
}

/** Records from an offset on: the first whatever its size, then as many as fit. */
export function readRecords({ path }: Pick<Segment, 'path'>, offset: number, mostBytes: number): ReadSegment {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bodies: Uint8Array[] = [];
    let lines = 0;
    let end = offset;
    let isTorn = false;
    while (end < size && (bodies.length === 0 || end - offset < mostBytes)) {
      const record = readRecord(file, end, size);
      isTorn = record === undefined;
      if (record === undefined) break;
      bodies.push(record.body);
      lines += record.lines;
      end += HEAD + record.body.length;
    }
    return { bodies, lines, end, isTorn };
  } finally {
    closeSync(file);
  }
}

function readRecord(file: number, at: number, size: number) {
  if (at + HEAD > size) return undefined;
  const head = Buffer.alloc(HEAD);
  readSync(file, head, 0, HEAD, at);
  const length = head.readUInt32LE(0);
  if (at + HEAD + length > size) return undefined;
  const body = Buffer.alloc(length);
  readSync(file, body, 0, length, at + HEAD);
  return crc32(body) === head.readUInt32LE(4) ? { body, lines: head.readUInt32LE(8) } : undefined;
}

/** Segments of an earlier process; those before the position were released, and are deleted. */
export function listSegments(folder: string, position: SpoolPosition): Segment[] {
  const segments: Segment[] = [];
  for (const name of readdirSync(folder).sort()) {
    const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) continue;
    const segment = new Segment(folder, number);
    if (number < position.segment) segment.remove();
    else segments.push(segment);
  }
  for (const segment of segments) {
    segment.bytes = statSync(segment.path).size;
    const offset = segment.number === position.segment ? position.offset : 0;
    for (let at = offset; ; ) {
      const { bodies, lines, end } = readRecords(segment, at, LARGE);
      segment.lines += lines;
      at = end;
      if (bodies.length === 0) break;
    }
  }
  return segments;
}

const LARGE = 4 * 1024 * 1024;
