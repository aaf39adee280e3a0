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

/** Nothing when another process has settled and deleted it. Memory is bounded by the size of a segment and one record. */
function* readSegment({ file }: Segment): Generator<NumberedRecord | LogDamage> {
  const bytes = readIfThere(file);
  for (let at = 0; ; ) {
    const found = findFrame(bytes, at);
    if (found.state === 'end') return;
    if (found.state === 'record') yield found.record;
    else {
      // The length may be what is wrong: only a good record right behind it shows that it is not.
      const isPassable = found.state === 'damaged' && findFrame(bytes, found.end).state === 'record';
      const end = isPassable ? found.end : bytes.length;
      yield { place: file, at, bytes: end - at, state: found.state };
      if (!isPassable) return;
    }
    at = found.end;
  }
}

/** Records with a number beyond `after`, a segment at a time. What is torn at the end may be a write under way. */
export function* readRecords(folder: string, after: number): Generator<NumberedRecord> {
  const segments = listSegments(folder);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next && next.first <= after + 1) continue;
    for (const item of readSegment(segment)) if ('number' in item && item.number > after) yield item;
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

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
