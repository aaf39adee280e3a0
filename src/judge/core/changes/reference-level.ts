import type { Better } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { NewestVerdict, SeriesLevels } from '../levels/levels.ts';
import { judgeNewest } from '../newest/judge-newest.ts';

/** The range of a history that newer values are compared with. */
export interface Reference {
  readonly start: number;
  readonly end: number;
  /** The change after which values are not accepted yet; absent: the present level is the reference. */
  readonly held?: FollowedChange;
}

export interface ReferenceInput {
  readonly levels: SeriesLevels;
  /** Changes of the series, with their place in the history that the levels are of; -1: not in it. */
  readonly known: readonly { readonly change: FollowedChange; readonly place: number }[];
}

const NEAR = 5;

/**
 * A new level becomes the reference only when it was accepted, or is for the better. A change that was marked as
 * false is ignored: both of its sides are one level. One that was marked as fixed leaves the level before it as the
 * reference: values are expected there again.
 */
export function referenceLevel({ levels, known }: ReferenceInput): Reference {
  const parts = levels.levels;
  let at = parts.length - 1;
  let end = parts[at]?.end ?? 0;
  let held: FollowedChange | undefined;
  for (; at > 0; at--) {
    const start = parts[at]?.start ?? 0;
    const change = changeAt(start, levels.changes[at - 1]?.shift.difference ?? 0, known);
    if (!change || change.state === 'expected' || change.direction === 'better') break;
    if (change.state === 'false') continue;
    end = start;
    held = change;
  }
  return { start: parts[Math.max(at, 0)]?.start ?? 0, end, ...(held && { held }) };
}

export interface NewestAgainstReference extends NewestVerdict {
  /** Id of the change that keeps an older level as the reference. */
  readonly held?: string;
  /** Middle of the reference; absent without values. */
  readonly reference?: number;
}

/** The newest value against the reference of its series. */
export function judgeAgainstReference(
  values: Float64Array,
  better: Better,
  input: ReferenceInput,
): NewestAgainstReference {
  const { start, end, held } = referenceLevel(input);
  const last = values.findLastIndex(Number.isFinite);
  const history = values.subarray(start, Math.max(start, Math.min(end, last)));
  const verdict = judgeNewest({ history, newest: values.subarray(Math.max(last, 0), last + 1), better });
  const reference = (values[last] ?? Number.NaN) - (verdict.shift?.difference ?? Number.NaN);
  return {
    ...verdict,
    ...(held && { held: held.id }),
    ...(Number.isFinite(reference) && { reference }),
  };
}

function changeAt(
  start: number,
  difference: number,
  known: ReferenceInput['known'],
): FollowedChange | undefined {
  const near = known.filter(
    ({ change, place }) =>
      place >= 0 &&
      change.withdrawnAt === undefined &&
      Math.abs(place - start) <= NEAR &&
      Math.sign(change.shift.difference) === Math.sign(difference),
  );
  near.sort((a, b) => Math.abs(a.place - start) - Math.abs(b.place - start));
  return near[0]?.change;
}
