import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Notice } from './notices/notice.ts';

/**
 * Tells people something. Contract (test/contracts/notifiers.test.ts):
 * 1. What is told as sent has arrived; its receipt names the message, where the receiver has a name for it.
 * 2. Whatever the receiver does is an answer (busy, blocked, refused), never an exception, and comes within the timeout of
 *    each request; the words of the receiver are in it.
 * 3. No text of a notice can do more than be read: no markup, no mention, no header, no control sequence comes of it.
 * 4. A notice of any size is cut to what the receiver takes.
 * 5. No secret is in a preview or a message; a preview is what would be sent, and sends nothing.
 * 6. What is not supported is declared: nobody is asked for an update, a reply or a picture that cannot be.
 */
export interface Notifier {
  readonly id: string;
  readonly title: string;
  open(place: NotifyPlace): NotifierConnection;
}

export interface NotifierAbilities {
  /** A message can be changed where it stands. */
  readonly updates: boolean;
  /** A message can stand below another. */
  readonly threads: boolean;
  readonly images: boolean;
}

/** Where to, with what. A notifier looks at what it knows. */
export interface NotifyPlace {
  readonly channel?: string;
  readonly addresses?: readonly string[];
  readonly from?: string;
  readonly url?: string;
  readonly secrets: NotifySecrets;
  /** Of one request. */
  readonly timeoutMs: number;
}

export interface NotifySecrets {
  readonly token?: string;
  /** An address that is a secret itself. */
  readonly webhook?: string;
  readonly secret?: string;
  readonly user?: string;
  readonly password?: string;
}

export interface NotifierConnection {
  /** Depends on the place: a webhook of Slack can less than a token. */
  readonly supports: NotifierAbilities;
  preview(message: OutgoingMessage): NoticePreview;
  send(message: OutgoingMessage, signal: CancelSignal): Promise<Sent>;
  /** Puts a picture below a message; absent: pictures go with the message. */
  attach?(receipt: string, picture: NoticePicture, signal: CancelSignal): Promise<Sent>;
}

export interface OutgoingMessage {
  readonly notice: Notice;
  readonly kind: 'new' | 'update' | 'reply';
  /** Receipt of the message that is changed or answered. */
  readonly earlier?: string;
  readonly pictures: readonly NoticePicture[];
}

export interface NoticePicture {
  /** A file name. */
  readonly name: string;
  readonly title: string;
  readonly png: Uint8Array;
}

/** What would be sent to whom. */
export interface NoticePreview {
  readonly to: string;
  readonly body: string;
}

export type Sent =
  | { readonly state: 'sent'; readonly receipt?: string }
  /** Try again soon. */
  | { readonly state: 'busy'; readonly message: string; readonly retryAfterMs?: number }
  /** Somebody has to mend something first: credentials, the name of a channel. */
  | { readonly state: 'blocked'; readonly message: string }
  /** It will never take this one. */
  | { readonly state: 'refused'; readonly message: string }
  /** The message to be changed is not there any more. */
  | { readonly state: 'gone'; readonly message: string };
