import type { JsonObject } from '../../platform/core/text/json.ts';
import type { LinePoint } from './lines/format-line.ts';

/**
 * Reads a log of an experiment while it grows. Contract (test/contracts/followers.test.ts):
 * 1. Whenever it is called, every record is returned once and in its order.
 * 2. An incomplete record waits, and is not a problem.
 * 3. Its position survives JSON, and another process can resume from it.
 * 4. A file that was written anew is read from its beginning; one that was only rewritten, copied or briefly truncated is not.
 * 5. A damaged file is a reported problem; nothing is thrown. A missing one is undefined.
 */
export interface Follower {
  readonly id: string;
  readonly title: string;
  /** By the name of a file alone. */
  follows(name: string): boolean;
  read(path: string, position: JsonObject | undefined): Promise<FollowStep | undefined>;
}

export interface FollowStep {
  readonly records: readonly FollowedRecord[];
  /** After these records. */
  readonly position: JsonObject;
  /** There may be more to read now. */
  readonly hasMore: boolean;
  /** The last record is incomplete. */
  readonly isWaiting: boolean;
  /** When the file was last modified, in milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly problems: readonly string[];
}

/** A row, or an event: values of one time. */
export interface FollowedRecord {
  /** Counts up; distinguishes records of one time. */
  readonly number: number;
  /** Absent: the time at which the file was modified. */
  readonly at?: NonNullable<LinePoint['at']>;
  readonly step?: bigint;
  readonly values: readonly (readonly [name: string, value: number | boolean | string])[];
}
