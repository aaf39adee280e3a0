import type { NotifierAbilities } from '../notifier.ts';
import { digestOf } from './digest.ts';
import type { Notice } from './notice.ts';
import { earlierOf, type Pending, type ToldBook } from './told.ts';

/** One thing to send: as a message of its own, in the place of an earlier one, or below it. */
export interface PlannedMessage {
  readonly notice: Notice;
  readonly as: readonly Step[];
  /** What is told when it has arrived. */
  readonly covers: readonly Notice[];
  readonly isDigest: boolean;
}

export type Step = { readonly kind: 'new' } | { readonly kind: 'update' | 'reply'; readonly receipt: string };

/** More at once are a flood. */
const MOST_SINGLE = 5;

/** How what is pending goes to a destination: few messages, whatever happened. */
export function planMessages(
  pending: readonly Pending[],
  told: ToldBook,
  supports: NotifierAbilities,
): readonly PlannedMessage[] {
  const notices = pending.map(({ notice }) => notice);
  // What was held back comes as one message at the end of quiet hours.
  if (pending.some(({ isHeld }) => isHeld) && notices.length > 1) return [together(notices)];
  const isSame = (notice: Notice) => earlierOf(notice, told)?.state === notice.state;
  const silent = notices.filter(isSame);
  const news = notices.filter((notice) => !isSame(notice));
  const spoken = news.length > MOST_SINGLE ? [together(news)] : news.map((it) => single(it, told, supports));
  return [...spoken, ...silent.map((it) => single(it, told, supports))];
}

function together(notices: readonly Notice[]): PlannedMessage {
  return { notice: digestOf(notices), as: [{ kind: 'new' }], covers: notices, isDigest: true };
}

function single(notice: Notice, told: ToldBook, supports: NotifierAbilities): PlannedMessage {
  return { notice, as: stepsOf(notice, told, supports), covers: [notice], isDigest: false };
}

function stepsOf(
  notice: Notice,
  told: ToldBook,
  { updates, threads }: NotifierAbilities,
): readonly [Step, ...Step[]] {
  const earlier = earlierOf(notice, told);
  const receipt = earlier?.receipt;
  if (!earlier || receipt === undefined) return [{ kind: 'new' }];
  const reply = { kind: 'reply', receipt } as const;
  if (!updates || earlier.isDigest === true) return [threads ? reply : { kind: 'new' }];
  // A changed message disturbs nobody: what is news is also said below it.
  const update = { kind: 'update', receipt } as const;
  return threads && earlier.state !== notice.state ? [update, reply] : [update];
}
