import { recordDuet } from '../../app/changes/record-duet.ts';
import type { NightOutcome } from '../../app/night/conclude-night.ts';
import { isRegression } from '../../core/changes/is-open.ts';
import { messageOf } from '../../core/errors.ts';
import type { ConfirmRules } from '../../core/model/home.ts';
import type { Store } from '../../core/ports/store.ts';
import type { CliContext } from '../context.ts';
import { confirmationText, confirmInHome } from './confirm.ts';

const MINUTE_MS = 60_000;

/** Measures the commits of the newest provisional regressions of a night again, as long as its definition allows. */
export async function confirmNews(
  { changes }: NightOutcome,
  { home, rules, store }: { readonly home: string; readonly rules: ConfirmRules; readonly store: Store },
  context: CliContext,
): Promise<void> {
  const { disk, clock, stderr, signal } = context;
  const waiting = (changes?.news ?? []).filter((change) => isRegression(change) && change.isProvisional);
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, rules.minutes * MINUTE_MS);
  try {
    for (const record of waiting.slice(0, rules.duets)) {
      if (limit.signal.aborted) break;
      try {
        const request = { record, home, isQuiet: true };
        const found = await confirmInHome(request, store, { ...context, signal: limit.signal });
        await recordDuet({ home, id: record.id, found }, { disk, store, clock });
        stderr.write(confirmationText(record.id, found));
      } catch (error) {
        // The night stands; what could not be confirmed waits for more nights.
        if (signal.aborted) throw error;
        stderr.write(`${record.id} was not confirmed by a duet: ${messageOf(error)}\n`);
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
