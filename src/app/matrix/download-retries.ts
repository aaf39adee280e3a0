import { NightmarkError } from '../../core/errors.ts';
import type { DownloadEffects } from './download-effects.ts';

const TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 16_000;

/** Tries again, later and later, as long as it may help. */
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
      await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS), signal);
    }
  }
}
