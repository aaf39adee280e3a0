/**
 * A queue on disk that survives its process. Contract (test/contracts/spools.test.ts):
 * 1. What was appended is read in its order, also after kill -9; a torn end is passed over.
 * 2. What was released does not come again after a restart; what was not does.
 * 3. It never takes more room than its limit and one segment: the oldest go first, and are counted.
 */
export interface Spools {
  open(folder: string, limitBytes: number): Spool;
}

export interface Spool {
  /** `lines` is what it counts for in `facts`. */
  append(body: Uint8Array, lines: number): void;
  /** The oldest records, at least one when there is one; undefined when there is none. */
  peek(mostBytes: number): SpoolPart | undefined;
  /** Forgets what was peeked. */
  release(part: SpoolPart): void;
  facts(): SpoolFacts;
  close(): void;
}

export interface SpoolPart {
  readonly bodies: readonly Uint8Array[];
  readonly lines: number;
  /** Where the next part begins. */
  readonly next: SpoolPosition;
}

export interface SpoolPosition {
  readonly segment: number;
  readonly offset: number;
}

export interface SpoolFacts {
  readonly bytes: number;
  readonly lines: number;
  /** Lines that had to make room, since the queue was made. */
  readonly droppedLines: number;
  /** Ends of segments that could not be read. */
  readonly torn: number;
}
