import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogDamage, NumberedRecord } from '../../../core/ports/point-shelf.ts';
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

/** What is read of one segment; memory is bounded by the size of a segment and one record. */
export interface SegmentContent {
  readonly records: readonly NumberedRecord[];
  readonly damage: readonly LogDamage[];
}

/** Nothing when another process has settled and deleted it in between. */
export function readSegment({ file }: Segment, after: number): SegmentContent {
  const bytes = readIfThere(file);
  const records: NumberedRecord[] = [];
  const damage: LogDamage[] = [];
  let at = 0;
  for (;;) {
    const found = findFrame(bytes, at);
    if (found.state === 'end') return { records, damage };
    if (found.state === 'torn') {
      damage.push({ place: file, at, bytes: bytes.length - at, state: 'torn' });
      return { records, damage };
    }
    if (found.state === 'damaged') {
      // The length may be what is wrong: only a good record right behind it shows that it is not.
      const isPassable = findFrame(bytes, found.end).state === 'record';
      const next = isPassable ? found.end : bytes.length;
      damage.push({ place: file, at, bytes: next - at, state: 'damaged' });
      if (!isPassable) return { records, damage };
      at = next;
      continue;
    }
    if (found.record.number > after) records.push(found.record);
    at = found.end;
  }
}

/** Records with a number beyond `after`, a segment at a time. What is torn at the end may be a write under way. */
export function* readRecords(folder: string, after: number): Generator<NumberedRecord> {
  const segments = listSegments(folder);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next && next.first <= after + 1) continue;
    yield* readSegment(segment, after).records;
  }
}

/** What an earlier process left: the number of the last record, and what cannot be read. */
export function inspectLog(folder: string): { readonly last: number; readonly damage: readonly LogDamage[] } {
  let last = 0;
  const damage: LogDamage[] = [];
  for (const segment of listSegments(folder)) {
    const content = readSegment(segment, 0);
    last = Math.max(last, segment.first - 1, content.records.at(-1)?.number ?? 0);
    damage.push(...content.damage);
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

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
