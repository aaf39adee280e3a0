import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Where processes of one machine wait for each other. Contract (test/contracts/barriers.test.ts):
 * 1. Nobody goes on before all parties have arrived; then all do. Round by round, under the same name.
 * 2. Of parties that stay, one that leaves or dies breaks the barrier for the others: they are told (BARRIER_BROKEN),
 *    whether they wait already or arrive later. Before the first round it is as if it had never come.
 * 3. Parties that come for one round only may die while they wait; the round then waits for another one.
 * 4. Who waits too long is told (BARRIER_TIMEOUT); the others go on waiting.
 * 5. Parties that disagree about the number of parties, or about staying, are told (BARRIER_DIFFERS).
 * 6. Nothing of a dead party is in the way of the next.
 */
export interface Barriers {
  readonly id: string;
  readonly title: string;
  join(request: BarrierRequest): BarrierParty;
}

export interface BarrierRequest {
  /** Any text; parties that give the same one meet. */
  readonly name: string;
  /** How many have to arrive, ourselves included. */
  readonly parties: number;
  /** For many rounds (true), or for a single one. */
  readonly stays: boolean;
  /** A folder of this user's, the same for all parties; made when it is missing. Absent: one for all of this user's. */
  readonly dir?: string;
}

export interface BarrierParty {
  /** Waits for the others. Gives back the round, from 0 on for parties that stay. */
  arrive(options: ArriveOptions): Promise<number>;
  /** When this resolves everybody who was released has been told. */
  leave(): Promise<void>;
}

export interface ArriveOptions {
  readonly timeoutMs?: number;
  readonly signal: CancelSignal;
}
