import type { FollowedChange } from '../../core/model/change-ledger.ts';

/** What else changed at the same point, as plain lines; none where nothing is known to explain it by. */
export async function explanationOf(_change: FollowedChange): Promise<readonly string[]> {
  return [];
}
