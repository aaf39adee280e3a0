import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { FieldKey, PointRows } from '../points/points.ts';

/**
 * Sends points on to another system. Contract (test/contracts/forwarders.test.ts):
 * 1. What is reported as sent is at the target; the same points sent again change nothing there.
 * 2. A target that is unavailable, busy or refuses our credentials is a delivery for later, never an exception; what it
 *    will never accept is left out, counted by reason, with its message.
 * 3. Points that the system cannot hold are left out and counted, and do not block the others.
 * 4. No secret is in any message.
 */
export interface Forwarder {
  readonly id: string;
  readonly title: string;
  open(place: ForwardPlace): ForwardConnection;
}

export interface ForwardPlace {
  readonly url: string;
  readonly database?: string;
  readonly secrets: ForwardSecrets;
}

export interface ForwardSecrets {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
}

export interface ForwardConnection {
  send(batch: ForwardBatch, signal: CancelSignal): Promise<Delivery>;
}

/** Some thousand rows of one database. */
export interface ForwardBatch {
  readonly database: string;
  readonly rows: PointRows;
  keyOf(column: number): FieldKey;
}

export type Delivery =
  | {
      readonly state: 'done';
      /** Values. */
      readonly sent: number;
      readonly leftOut: LeftOut;
      /** The first message of the target about a refused value. */
      readonly message?: string;
    }
  | { readonly state: 'later'; readonly message: string; readonly retryAfterMs?: number };

/** Values that were not sent, by reason. */
export type LeftOut = Readonly<Partial<Record<LeaveReason, number>>>;

/** same-moment: another value of the series in the same millisecond was sent instead. */
export type LeaveReason = 'refused' | 'not-a-number' | 'not-finite' | 'same-moment';
