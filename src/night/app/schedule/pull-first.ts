import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf } from '../../../platform/core/errors.ts';

const RETRIES = 3;
/** Long enough for a restart of a router or a server, short for a night. */
const PAUSE_MS = 30_000;

export interface PullEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  pull(): Promise<void>;
  report(message: string): void;
}

/** Pulls, and tries again three times; what remains is a warning: the night runs with what is there. */
export async function pullFirst({ clock, signal, pull, report }: PullEffects): Promise<string | undefined> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await pull();
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      const message = messageOf(error);
      if (attempt === RETRIES) return `Not pulled, so this night measures what was there before. ${message}`;
      report(
        `The pull failed; trying again in ${PAUSE_MS / 1000} s (${attempt + 1} of ${RETRIES}). ${message}`,
      );
      await clock.sleep(PAUSE_MS, signal);
    }
  }
  return undefined;
}
