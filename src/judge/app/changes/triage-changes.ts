import { appendEvents, readLedger } from '../../../home/app/ledger-file.ts';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import { addEvent, type ChangeEvent, type FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { type JudgeEffects, saveAffected } from './judge-home.ts';
import { findChange } from './read-change.ts';

export interface TriageRequest {
  readonly home: string;
  /** Ids, or their beginnings. */
  readonly ids: readonly string[];
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
}

/** Records the triage of changes. All ids must exist, or nothing is written. */
export async function triageChanges(
  { home, ids, state, note, author }: TriageRequest,
  { disk, store, clock }: JudgeEffects,
): Promise<readonly FollowedChange[]> {
  const { ledger } = await readLedger(home, disk);
  const chosen = new Set(ids.map((id) => findChange(ledger.changes, id).id));
  const at = clock.now();
  const events = [...chosen].map((id): ChangeEvent => {
    return {
      ...{ type: 'triaged', at, id, state },
      ...(note !== undefined && { note }),
      ...(author !== undefined && { author }),
    };
  });
  await appendEvents(home, events, disk);
  for (const event of events) addEvent(ledger, event);
  await saveAffected(events, ledger, store);
  return [...chosen].flatMap((id) => ledger.changes.get(id) ?? []);
}
