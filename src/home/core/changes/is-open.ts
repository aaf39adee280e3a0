import type { FollowedChange } from './change-ledger.ts';

/** Whether it waits for somebody: nobody said that it was meant, mended or mistaken. */
export function isOpen({ state, withdrawnAt }: FollowedChange): boolean {
  return (state === 'new' || state === 'confirmed') && withdrawnAt === undefined;
}

/** An open change of a series that is for the worse. */
export function isOpenRegression(change: FollowedChange): boolean {
  return isOpen(change) && isRegression(change);
}

/** For the worse, and not the doing of a machine. */
export function isRegression({ direction, series }: Pick<FollowedChange, 'direction' | 'series'>): boolean {
  return direction === 'worse' && series.kind !== 'machine';
}

/** A machine that changed, and nobody has said what that is. */
export function isOpenMachineEvent(change: FollowedChange): boolean {
  return isOpen(change) && change.series.kind === 'machine';
}

/** An open change of a series that nobody said the good direction of. */
export function isOpenUnknown(change: FollowedChange): boolean {
  return isOpen(change) && change.direction === 'unknown' && change.series.kind !== 'machine';
}
