import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** The change that an id, or its beginning, names. */
export function findChange(changes: ReadonlyMap<string, FollowedChange>, given: string): FollowedChange {
  const exact = changes.get(given);
  if (exact) return exact;
  const begun = given === '' ? [] : [...changes.keys()].filter((id) => id.startsWith(given));
  const only = begun.length === 1 ? changes.get(begun[0] ?? '') : undefined;
  if (only) return only;
  if (begun.length > 1) {
    throw new NightmarkError('CHANGES_AMBIGUOUS', `${begun.length} changes begin with "${given}".`, {
      hint: `Which one: ${begun.slice(0, 5).join(', ')}${begun.length > 5 ? ' ...' : ''}?`,
    });
  }
  throw new NightmarkError('CHANGES_UNKNOWN', `There is no change "${given}" in this home.`, {
    hint: 'nightmark changes lists them with their ids; --home names another home.',
  });
}
