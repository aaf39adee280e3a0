import type { Return, Shift } from '../../../home/core/changes/change.ts';
import type { ChangePoint, Level } from '../levels/levels.ts';

/** A level that was there before, by an index of the history that was judged. */
export interface SeenReturn extends Pick<Return, 'kind'> {
  /** back: of the last value at that level; again: of the first one. */
  readonly index: number;
}

interface Returning {
  readonly returns?: SeenReturn;
}

/** What a change returns to: slow, fixed, slow again; or back to what was there before the change before it. */
export function returnOf(change: ChangePoint, levels: readonly Level[]): Returning {
  const { firstSeen, returns, shift } = change;
  if (returns !== undefined) return returnTo(returns.to, levels, shift);
  return firstSeen === undefined ? {} : { returns: { kind: 'again', index: firstSeen } };
}

/** A step in the same direction led to that level before: it is there again. Else a step away from it was undone. */
function returnTo(to: number, levels: readonly Level[], { difference }: Shift): Returning {
  const [before, level] = [levels[to - 1], levels[to]];
  if (level === undefined) return {};
  const isAgain = before !== undefined && Math.sign(level.value - before.value) === Math.sign(difference);
  return {
    returns: isAgain ? { kind: 'again', index: level.start } : { kind: 'back', index: level.end - 1 },
  };
}

/**
 * The same of values too few to be a level, from the present one: the newest of the earlier levels that lies within the interval of
 * the step, if that is no wider than the step itself, so that it cannot hold any two levels.
 */
export function returnOfYoung(
  { before, shift }: { readonly before: number; readonly shift: Shift },
  levels: readonly Level[],
): Returning {
  const { low, high, difference } = shift;
  if (high - low > Math.abs(difference)) return {};
  const earlier = levels.slice(0, -1).slice(-REMEMBERED);
  const isThere = ({ value }: Level) => value - before >= low && value - before <= high;
  const found = earlier.findLastIndex(isThere);
  return found < 0 ? {} : returnTo(levels.length - 1 - earlier.length + found, levels, shift);
}

const REMEMBERED = 8;
