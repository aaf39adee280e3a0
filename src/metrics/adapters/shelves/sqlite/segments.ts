import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogDamage, NumberedRecord } from '../../../core/points/point-storage.ts';
import { findFrame } from './frames.ts';

/** A file of the log, named after the number of its first record. */
export interface Segment {
  readonly file: string;
  readonly first: number;
}

export function segmentFile(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(16, '0')}.log`);
}

/** Oldest first. */
export function listSegments(folder: string): readonly Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => ({ file: join(folder, name), first: Number(name.slice(0, 16)) }));
}

/** The place behind a record: who has read up to it goes on there, and need not read the file from its beginning. */
export interface LogCursor {
  file: string;
  number: number;
  end: number;
}

interface Since {
  readonly after: number;
  readonly cursor?: LogCursor;
}

/** Nothing when another process has settled and deleted it. Memory is bounded by the size of a segment and one record. */
function* readSegment(
  { file }: Segment,
  { after, cursor }: Since = { after: 0 },
): Generator<NumberedRecord | LogDamage> {
  const from = cursor?.file === file && cursor.number === after ? cursor.end : 0;
  const bytes = readIfThere(file, from);
  for (let at = 0; ; ) {
    const found = findFrame(bytes, at, after);
    if (found.state === 'end') return;
    if (found.state === 'record') {
      if (cursor) Object.assign(cursor, { file, number: found.record.number, end: from + found.end });
      yield found.record;
    } else if (found.state !== 'passed') {
      // The length may be what is wrong: only a good record right behind it shows that it is not.
      const isPassable = found.state === 'damaged' && findFrame(bytes, found.end).state === 'record';
      const end = isPassable ? found.end : bytes.length;
      yield { place: file, at: from + at, bytes: end - at, state: found.state };
      if (!isPassable) return;
    }
    at = found.end;
  }
}

/** Records with a number beyond `after`, a segment at a time. What is torn at the end may be a write under way. */
export function* readRecords(folder: string, { after, cursor }: Since): Generator<NumberedRecord> {
  const segments = listSegments(folder);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next && next.first <= after + 1) continue;
    const since = { after, ...(cursor && { cursor }) };
    for (const item of readSegment(segment, since)) if ('number' in item) yield item;
  }
}

/** What an earlier process left: the number of the last record, and what cannot be read. */
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

/** Deletes the segments all of whose records are settled; `last` is the number of the newest record. */
export function deleteSettled(
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

function readIfThere(file: string, from: number): Buffer {
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
