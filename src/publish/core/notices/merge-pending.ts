import { isClosing, type Notice } from './notice.ts';
import { earlierOf, type Pending, type ToldBook } from './told.ts';

export interface Merged {
  readonly pending: readonly Pending[];
  /** The oldest, which had to make room. */
  readonly dropped: number;
}

const MOST_PENDING = 500;

/** The newest word on each topic. What ended before anybody heard of it is not told at all. */
export function mergePending(
  before: readonly Pending[],
  notices: readonly Notice[],
  { told, now }: { readonly told: ToldBook; readonly now: number },
): Merged {
  const merged = new Map(before.map((it) => [it.notice.topic, it]));
  for (const notice of notices) {
    const earlier = merged.get(notice.topic);
    const isUnheard = earlier !== undefined && earlierOf(notice, told) === undefined;
    if (isUnheard && isClosing(notice.state)) merged.delete(notice.topic);
    else merged.set(notice.topic, { notice, since: earlier?.since ?? now, isHeld: earlier?.isHeld ?? false });
  }
  const all = [...merged.values()];
  const dropped = Math.max(0, all.length - MOST_PENDING);
  return { pending: all.slice(dropped), dropped };
}
