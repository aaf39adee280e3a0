import type { FollowedChange } from '../model/change-ledger.ts';

/** Whether it waits for somebody: nobody said that it was meant, mended or mistaken. */
export function isOpen({ state, withdrawnAt }: FollowedChange): boolean {
  return (state === 'new' || state === 'confirmed') && withdrawnAt === undefined;
}

/** An open change that is not for the better. */
export function isOpenRegression(change: FollowedChange): boolean {
  return isOpen(change) && change.direction === 'worse';
}
