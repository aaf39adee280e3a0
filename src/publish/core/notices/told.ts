import { textHash } from '../../../platform/core/text/change-hash.ts';
import { isClosing, type Notice, type NoticeState } from './notice.ts';

/** What a destination was told of a topic last. */
export interface Told {
  readonly state: NoticeState;
  /** Hash of what was said. */
  readonly mark: string;
  readonly at: number;
  /** Names the message at the receiver; absent: it gives none. */
  readonly receipt?: string;
  /** The message was about others, too. */
  readonly isDigest?: boolean;
}

/** By topic, the longest untouched first. */
export type ToldBook = ReadonlyMap<string, Told>;

/** What is still to be sent to a destination. */
export interface Pending {
  readonly notice: Notice;
  readonly since: number;
  /** Waited for the end of quiet hours. */
  readonly isHeld: boolean;
}

/** The same text for the same words. */
export function markOf({ title, text, facts, severity }: Notice): string {
  return textHash(JSON.stringify([severity, title, text, facts]));
}

/** The earlier message that a notice goes on with; a matter that was closed begins anew. */
export function earlierOf({ topic, state }: Notice, told: ToldBook): Told | undefined {
  const earlier = told.get(topic);
  return earlier && isClosing(earlier.state) && !isClosing(state) ? undefined : earlier;
}
