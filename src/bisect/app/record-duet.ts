import { appendEvents, readLedger } from '../../home/app/ledger-file.ts';
import { addEvent, type ChangeEvent, type FollowedChange } from '../../home/core/changes/change-ledger.ts';
import { type JudgeEffects, saveAffected } from '../../judge/app/changes/judge-home.ts';
import { metricText } from '../core/metric.ts';
import type { Confirmation } from './confirm-change.ts';

/** Writes down what a duet said of a change; gives the change as it is now. */
export async function recordDuet(
  { home, id, found }: { readonly home: string; readonly id: string; readonly found: Confirmation },
  { disk, store, clock }: JudgeEffects,
): Promise<FollowedChange | undefined> {
  const { state, source, before, after, judgement, metric } = found;
  const { effect, runs } = judgement;
  const event: ChangeEvent = {
    ...{ type: 'duet', at: clock.now(), id, state, source, before, after, pairs: runs },
    ...(metric.type === 'value' && { metric: metricText(metric) }),
    ...(effect && { effect: { ratio: effect.ratio, low: effect.low, high: effect.high } }),
  };
  await appendEvents(home, [event], disk);
  const { ledger } = await readLedger(home, disk);
  addEvent(ledger, event);
  await saveAffected([event], ledger, store);
  return ledger.changes.get(id);
}
