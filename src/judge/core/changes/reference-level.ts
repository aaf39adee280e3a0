import type { NewestVerdict } from '../levels/levels.ts';
import { judgeNewest, NEWEST_WINDOW, sideOf } from '../newest/judge-newest.ts';
import type { KnownChange, SeenChange, SeriesHistory, SeriesRules } from './judge-series.ts';
import { newestOptions, withRules } from './sureness.ts';

/** The newest value against the level that was accepted. */
export interface StandingVerdict extends NewestVerdict {
  /** Id of the change that keeps an older level as the reference. */
  readonly held?: string;
  /** Middle of the reference; absent without values. */
  readonly reference?: number;
  /** Looks changed, but among so many series some do by chance. */
  readonly isHeldBack?: true;
}

/** The range of a history that newer values are compared with. */
interface Reference {
  readonly start: number;
  readonly end: number;
  /** Changes after it that are not accepted, oldest first. */
  readonly held: readonly FoundChange[];
}

interface FoundChange {
  readonly seen: SeenChange;
  /** As it was followed so far; absent: it is found for the first time. */
  readonly followed: KnownChange['change'] | undefined;
}

/**
 * Where the series stands now. While a change for the worse is not accepted, its present level is compared with the one
 * before, so that the answer is that of the change; else the newest value is compared with its own level.
 */
export function newestAgainstReference(
  history: SeriesHistory,
  changes: readonly SeenChange[],
  rules: SeriesRules,
): StandingVerdict {
  const { values, better } = history;
  const { start, end, held } = referenceLevel(history, changes);
  const last = values.findLastIndex(Number.isFinite);
  const [first] = held;
  if (first && held.length === 1) return standing(history, { start, end }, first);
  const from = held.at(-1)?.seen.index ?? Math.max(last, 0);
  const past = values.subarray(start, Math.max(start, Math.min(end, from)));
  const newest = values.subarray(from, last + 1).slice(-NEWEST_WINDOW);
  const options = newestOptions(history, rules);
  const found = withRules(judgeNewest({ history: past, newest, better }, options), rules);
  const reference =
    first?.seen.before ?? (values[last] ?? Number.NaN) - (found.shift?.difference ?? Number.NaN);
  return {
    ...found,
    ...(first?.followed && { held: first.followed.id }),
    ...(Number.isFinite(reference) && { reference }),
  };
}

/** The size and the certainty of a change that is not accepted are the answer. */
function standing(
  { values, better }: SeriesHistory,
  { start, end }: Pick<Reference, 'start' | 'end'>,
  { seen, followed }: FoundChange,
): StandingVerdict {
  const side = sideOf(seen.shift.difference, better);
  return {
    verdict: seen.isLikely ? 'undecided' : side,
    ...(seen.isLikely && { likely: side }),
    ...{ shift: seen.shift, p: seen.p, isProvisional: seen.isProvisional, notes: [] },
    history: values.subarray(start, end).filter(Number.isFinite).length,
    ...(followed && { held: followed.id }),
    reference: seen.before,
  };
}

/**
 * A new level becomes the reference only when it was accepted, or is for the better and no longer provisional. A change that was marked as
 * false, or withdrawn by a duet, is ignored: both of its sides are one level. One that was marked as fixed leaves the level before it as the
 * reference: values are expected there again.
 */
function referenceLevel(
  { values, better, known = [], acceptsLevels }: SeriesHistory,
  changes: readonly SeenChange[],
): Reference {
  const held: FoundChange[] = [];
  let end = values.length;
  for (const seen of changes.toReversed()) {
    const followed = followedAt(seen, known);
    if (followed?.state === 'false' || followed?.withdrawnAt !== undefined) continue;
    const isBetter = sideOf(seen.shift.difference, better) === 'faster';
    const isAccepted = followed?.state === 'expected' || (acceptsLevels && !seen.isProvisional);
    if (isAccepted || (isBetter && !seen.isProvisional)) return { start: seen.index, end, held };
    held.unshift({ seen, followed });
    end = seen.index;
  }
  return { start: 0, end, held };
}

const NEAR = 5;

/** The change that is known near that place, in the same direction. */
function followedAt(
  { index, shift }: SeenChange,
  known: readonly KnownChange[],
): KnownChange['change'] | undefined {
  const near = known.filter(
    ({ change, place }) =>
      place >= 0 &&
      Math.abs(place - index) <= NEAR &&
      Math.sign(change.shift.difference) === Math.sign(shift.difference),
  );
  near.sort((a, b) => Math.abs(a.place - index) - Math.abs(b.place - index));
  return near[0]?.change;
}
