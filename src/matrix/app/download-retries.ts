import { NightmarkError } from '../../platform/core/errors.ts';
import { ServerBusy } from '../../platform/core/retry-after.ts';
import type { DownloadEffects } from './download-effects.ts';

const TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/** Tries again, later and later or when the server said, as long as it may help. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { clock, signal }: Pick<DownloadEffects, 'clock' | 'signal'>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const mayHelp = error instanceof NightmarkError && error.code === 'DOWNLOAD_UNREACHABLE';
      if (!mayHelp || tried >= TRIES || signal.aborted) throw error;
      const growing = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS);
      const asked = error.cause instanceof ServerBusy ? error.cause.retryAfterMs : 0;
      await clock.sleep(Math.max(growing, asked), signal);
    }
  }
}
