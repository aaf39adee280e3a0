import type { JsonObject } from '../../platform/core/text/json.ts';
import type { LinePoint } from './lines/format-line.ts';

/**
 * Reads a log of an experiment while it grows. Contract (test/contracts/followers.test.ts):
 * 1. Whatever moments it is asked at, every record is given once and in its order.
 * 2. A record that is not whole yet waits, and is no problem.
 * 3. The position it gives goes to JSON and back, and another process goes on from there.
 * 4. A file that was written anew is read from its beginning; one that was only rewritten, copied or cut for a moment is not.
 * 5. A damaged file is a problem that is told; nothing is thrown. A missing one is undefined.
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
  /** Behind these records. */
  readonly position: JsonObject;
  /** There may be more to read at once. */
  readonly hasMore: boolean;
  /** A record has begun, and its end is not there. */
  readonly isWaiting: boolean;
  /** When the file was written last, in milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly problems: readonly string[];
}

/** A row, or an event: values of one moment. */
export interface FollowedRecord {
  /** Counts up; tells records of one moment apart. */
  readonly number: number;
  /** Without a time of its own: that at which the file was written. */
  readonly at?: NonNullable<LinePoint['at']>;
  readonly step?: bigint;
  readonly values: readonly (readonly [name: string, value: number | boolean | string])[];
}
