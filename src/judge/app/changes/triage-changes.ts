import { readLedger } from '../../../home/app/ledger-file.ts';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { JudgeEffects } from './judge-home.ts';
import { findChange } from './read-change.ts';
import { recordReviews } from './record-review.ts';

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
  effects: JudgeEffects,
): Promise<readonly FollowedChange[]> {
  const { ledger } = await readLedger(home, effects.disk);
  const chosen = new Set(ids.map((id) => findChange(ledger.changes, id).id));
  const said = { state, ...(note !== undefined && { note }), ...(author !== undefined && { author }) };
  const at = effects.clock.now();
  const reviews = [...chosen].map((id) => ({ type: 'triaged', at, id, ...said }) as const);
  return recordReviews(home, reviews, effects);
}
