import type { JsonObject } from './text/json.ts';

/**
 * One holder at a time. Contract (test/contracts/locks.test.ts):
 * 1. While one process holds the lock nobody else gets it, and the others learn what the holder wrote about itself.
 * 2. The lock of a process that died, in whatever way, is free.
 */
export interface Locks {
  acquire(file: string, holder: JsonObject): Promise<LockOutcome>;
}

export type LockOutcome =
  | { readonly state: 'acquired'; release(): void }
  | { readonly state: 'held'; readonly holder: JsonObject };

/** A process that can be distinguished from a later one with the same number. */
export interface Worker {
  readonly host: string;
  readonly pid: number;
  readonly incarnation: string;
}
