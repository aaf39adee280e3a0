import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spool, SpoolFacts, SpoolPart, SpoolPosition } from '../../core/forward/spool.ts';
import { listSegments, type ReadSegment, readRecords, Segment } from './spool-segment.ts';

/** A queue of append-only segment files; the oldest one is deleted as a whole. */
export const openFileSpool = (folder: string, limitBytes: number): Spool => new FileSpool(folder, limitBytes);

const SMALLEST_SEGMENT = 64 * 1024;
const LARGEST_SEGMENT = 16 * 1024 * 1024;

class FileSpool implements Spool {
  readonly #folder: string;
  readonly #limitBytes: number;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  #position: SpoolPosition;
  #droppedLines: number;
  #torn: number;

  constructor(folder: string, limitBytes: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#limitBytes = limitBytes;
    this.#segmentBytes = Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, Math.floor(limitBytes / 16)));
    const { position, droppedLines, torn } = readPosition(folder);
    this.#droppedLines = droppedLines;
    this.#torn = torn;
    this.#segments = listSegments(folder, position);
    const first = this.#segments[0]?.number ?? position.segment + 1;
    this.#position = first === position.segment ? position : { segment: first, offset: 0 };
  }

  append(body: Uint8Array, lines: number): void {
    let last = this.#segments.at(-1);
    // A segment of an earlier process may have a torn end: nothing is appended to it.
    if (!last?.isWritable || last.bytes > this.#segmentBytes) {
      last?.close();
      last = Segment.create(this.#folder, Math.max(last?.number ?? 0, this.#position.segment) + 1);
      this.#segments.push(last);
      if (this.#segments.length === 1) this.#position = { segment: last.number, offset: 0 };
    }
    last.append(body, lines);
    while (this.#segments.length > 1 && this.facts().bytes > this.#limitBytes) this.#dropOldest();
  }

  peek(mostBytes: number): SpoolPart | undefined {
    for (;;) {
      const [segment, following] = this.#segments;
      if (segment === undefined) return undefined;
      const read = readRecords(segment, this.#position.offset, mostBytes);
      if (read.bodies.length > 0) return partOf(segment.number, read);
      // The last writable segment may grow; all others are read to their end, or to where they are torn.
      if (following === undefined && segment.isWritable) return undefined;
      if (read.isTorn) this.#torn++;
      this.#advance({ segment: following?.number ?? segment.number + 1, offset: 0 });
    }
  }

  release({ next, lines }: SpoolPart): void {
    const [segment] = this.#segments;
    if (segment?.number !== next.segment) return; // it was dropped meanwhile
    segment.lines -= lines;
    this.#advance(next);
  }

  facts(): SpoolFacts {
    let bytes = 0;
    let lines = 0;
    for (const segment of this.#segments) {
      bytes += segment.bytes;
      lines += segment.lines;
    }
    return { bytes, lines, droppedLines: this.#droppedLines, torn: this.#torn };
  }

  close(): void {
    for (const segment of this.#segments) segment.close();
  }

  #dropOldest(): void {
    const [oldest, following] = this.#segments;
    if (oldest === undefined || following === undefined) return;
    this.#droppedLines += oldest.lines;
    this.#advance({ segment: following.number, offset: 0 });
  }

  /** The position is written before older files are deleted: after a crash in between the next start deletes them. */
  #advance(position: SpoolPosition): void {
    this.#position = position;
    const text = JSON.stringify({ position, droppedLines: this.#droppedLines, torn: this.#torn });
    const file = join(this.#folder, POSITION);
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    while ((this.#segments[0]?.number ?? Number.POSITIVE_INFINITY) < position.segment) {
      this.#segments.shift()?.remove();
    }
  }
}

const POSITION = 'position.json';

interface KeptPosition {
  readonly position: SpoolPosition;
  readonly droppedLines: number;
  readonly torn: number;
}

/** Without a readable position everything is sent again, which does not change the points at the target. */
function readPosition(folder: string): KeptPosition {
  try {
    return JSON.parse(readFileSync(join(folder, POSITION), 'utf8')) as KeptPosition;
  } catch {
    return { position: { segment: 0, offset: 0 }, droppedLines: 0, torn: 0 };
  }
}

function partOf(segment: number, { bodies, lines, end }: ReadSegment): SpoolPart {
  return { bodies, lines, next: { segment, offset: end } };
}
