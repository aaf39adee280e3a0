import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { SeenChange } from './judge-series.ts';

/** Differences between the changes in the ledger and those found now. */
export interface Reconciled {
  readonly added: readonly SeenChange[];
  /** The same change, seen otherwise than it was known; `isBack`: it had been withdrawn. */
  readonly changed: readonly {
    readonly known: FollowedChange;
    readonly seen: SeenChange;
    readonly isBack: boolean;
  }[];
  readonly withdrawn: readonly FollowedChange[];
  /** What is found now and was known before, changed or not. */
  readonly followed: ReadonlyMap<SeenChange, FollowedChange>;
}

export interface ToReconcile {
  /** All changes of the series in the ledger. */
  readonly known: readonly FollowedChange[];
  readonly seen: readonly SeenChange[];
  /** Of the history that was judged. */
  readonly runIds: readonly string[];
  /** There is older history that was not judged. */
  readonly isCut: boolean;
}

/** A detector places a change within a few points, and may move it as values come. */
const NEAR = 5;
/** Changes so close to the beginning of the history cannot be judged: the level before is not in it. */
const EDGE = 10;

/** A change keeps its identity while history grows: near the same place, in the same direction, it is the same. */
export function reconcile({ known, seen, runIds, isCut }: ToReconcile): Reconciled {
  const places = known.map(({ runId }) => runIds.lastIndexOf(runId));
  const pairs = pairUp(known, places, seen);
  const changed = [...pairs].flatMap(([index, other]) => {
    const [before, now] = [known[index], seen[other]];
    if (!before || !now) return [];
    const isBack = before.withdrawnAt !== undefined;
    return isBack || isDifferent(before, now, runIds) ? [{ known: before, seen: now, isBack }] : [];
  });
  const withdrawn = known.filter(
    (change, index) =>
      !pairs.has(index) &&
      change.state === 'new' &&
      change.duet?.state !== 'confirmed' &&
      change.withdrawnAt === undefined &&
      (places[index] ?? -1) >= (isCut ? EDGE : 0),
  );
  const taken = new Set(pairs.values());
  const followed = new Map(
    [...pairs].map(([index, other]) => [seen[other] as SeenChange, known[index] as FollowedChange]), // pairs of both lists
  );
  return { added: seen.filter((_, index) => !taken.has(index)), changed, withdrawn, followed };
}

/** The nearest first, so that of two changes close to each other each finds its own. */
function pairUp(
  known: readonly FollowedChange[],
  places: readonly number[],
  seen: readonly SeenChange[],
): ReadonlyMap<number, number> {
  const distances = known.flatMap((change, index) =>
    seen.flatMap((now, other) => {
      const place = places[index] ?? -1;
      const distance = Math.abs(place - now.index) + (change.withdrawnAt === undefined ? 0 : 0.5);
      const isSame =
        place >= 0 &&
        distance <= NEAR + 0.5 &&
        Math.sign(change.shift.difference) === Math.sign(now.shift.difference);
      return isSame ? [{ index, other, distance }] : [];
    }),
  );
  distances.sort((a, b) => a.distance - b.distance || a.index - b.index || a.other - b.other);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const { index, other } of distances) {
    if (pairs.has(index) || taken.has(other)) continue;
    pairs.set(index, other);
    taken.add(other);
  }
  return pairs;
}

/** Each new night moves a level a little, which is not recorded. Another place is, and a size outside its interval. */
function isDifferent(
  known: FollowedChange,
  { index, shift, isProvisional, isLikely }: SeenChange,
  runIds: readonly string[],
) {
  return (
    runIds[index] !== known.runId ||
    isProvisional !== known.isProvisional ||
    isLikely !== known.isLikely ||
    shift.difference < known.shift.low ||
    shift.difference > known.shift.high ||
    shift.high - shift.low < (known.shift.high - known.shift.low) / 2
  );
}
