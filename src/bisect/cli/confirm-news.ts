import { type FollowedChange, isRegression } from '../../home/core/changes/change-ledger.ts';
import type { ConfirmRules, Home } from '../../home/core/home.ts';
import type { Store } from '../../home/core/store.ts';
import { judgingRules } from '../../judge/app/series/judging-rules.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { recordDuet } from '../app/record-duet.ts';
import { confirmationText, confirmInHome } from './confirm.ts';

const MINUTE_MS = 60_000;

/**
 * Measures the commits of the newest provisional regressions of a night again, as long as the definition allows: that of
 * the home counts for all experiments together, that of an experiment for it alone.
 */
export async function confirmNews(
  news: readonly FollowedChange[],
  { home, store }: { readonly home: Home; readonly store: Store },
  context: CliContext,
): Promise<void> {
  const waiting = news.filter((change) => isRegression(change) && change.isProvisional);
  for (const { rules, records } of byRules(waiting, home))
    await confirmWithin(rules, records.slice(0, rules.duets), { home: home.dir, store, context });
}

interface Share {
  readonly rules: ConfirmRules;
  readonly records: FollowedChange[];
}

function byRules(waiting: readonly FollowedChange[], home: Home): Iterable<Share> {
  const book = judgingRules(home);
  const shares = new Map<string, Share>();
  for (const record of waiting) {
    const rules = book.rulesFor(record.series).confirm;
    if (!rules) continue;
    const { series } = record;
    const isOwn = series.kind === 'value' && rules !== book.home.confirm;
    const key = isOwn ? series.experiment : '';
    const share = shares.get(key) ?? { rules, records: [] };
    shares.set(key, share);
    share.records.push(record);
  }
  return shares.values();
}

interface Place {
  readonly home: string;
  readonly store: Store;
  readonly context: CliContext;
}

async function confirmWithin(
  { minutes }: ConfirmRules,
  records: readonly FollowedChange[],
  { home, store, context }: Place,
): Promise<void> {
  const { disk, clock, stderr, signal } = context;
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, minutes * MINUTE_MS);
  try {
    for (const record of records) {
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
