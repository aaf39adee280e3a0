import type { CancelSignal } from './cancel-signal.ts';
import type { WallTime } from './text/times.ts';

/**
 * Time comes in from outside, so that a test can stop it. Contract (src/platform/adapters/system-clock.test.ts):
 * 1. Microseconds never go back. 2. A timestamp becomes wall time and back. 3. A cancelled sleep ends at once.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Microseconds from an arbitrary start; never goes back. */
  micros(): number;
  /** The wall time of a timestamp, in the zone of the process. */
  wall(at: number): WallTime;
  /** Epoch milliseconds of a wall time in the zone of the process. */
  fromWall(wall: Omit<WallTime, 'weekday' | 'second'>): number;
  /** Resolves after the time, or at once when cancelled. */
  sleep(ms: number, signal?: CancelSignal): Promise<void>;
}
