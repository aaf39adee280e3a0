/**
 * A queue on disk that survives its process. Contract (test/contracts/spools.test.ts):
 * 1. What was appended is read in its order, also after kill -9; a torn end is skipped.
 * 2. Released records do not come again after a restart; others do.
 * 3. It never takes more space than its limit and one segment: the oldest are dropped first, and counted.
 */
export interface Spool {
  /** `lines`: for the counts in `facts`. */
  append(body: Uint8Array, lines: number): void;
  /** The oldest records, at least one when there is one; undefined when there is none. */
  peek(mostBytes: number): SpoolPart | undefined;
  /** Removes what was peeked. */
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
  /** Lines that were dropped, since the queue was created. */
  readonly droppedLines: number;
  /** Ends of segments that could not be read. */
  readonly torn: number;
}
