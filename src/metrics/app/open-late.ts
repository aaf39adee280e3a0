import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';

export interface LateOpening<T> {
  open(): Promise<T>;
  /** Whether to wait makes sense; may tell. An error that it throws itself ends everything. */
  failed(error: unknown): boolean;
}

const FIRST_PAUSE_MS = 500;
/** A store that is back is found within this time. */
const LONGEST_PAUSE_MS = 15_000;

/** Tries again, ever more slowly, until it is open or cancelled, or until waiting makes no sense: undefined. */
export async function openLate<T>(
  { open, failed }: LateOpening<T>,
  { clock, signal }: { readonly clock: Pick<Clock, 'sleep'>; readonly signal: CancelSignal },
): Promise<T | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    await clock.sleep(pauseMs, signal);
    if (signal.aborted) return undefined;
    try {
      return await open();
    } catch (error) {
      if (!failed(error)) return undefined;
    }
  }
}
