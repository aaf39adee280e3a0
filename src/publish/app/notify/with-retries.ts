import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Sent } from '../../core/notifier.ts';

export interface RetryRules {
  readonly tries: number;
  /** Nothing is begun after this moment. */
  readonly deadline: number;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: CancelSignal;
  random(): number;
}

const FIRST_PAUSE_MS = 1000;

/** Tries again while the receiver is busy: after its Retry-After, or a pause that doubles, with a random part so that many do not come at once. */
export async function withRetries(attempt: () => Promise<Sent>, rules: RetryRules): Promise<Sent> {
  const { tries, deadline, clock, signal, random } = rules;
  for (let tried = 1; ; tried++) {
    const sent = await attempt();
    if (sent.state !== 'busy' || tried >= tries || signal.aborted) return sent;
    const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + random());
    const wait = Math.max(sent.retryAfterMs ?? 0, pause);
    if (clock.now() + wait > deadline) return sent;
    await clock.sleep(wait, signal);
  }
}
