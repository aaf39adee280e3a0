import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Notice } from './notice.ts';

/**
 * Sends notices to people. Contract (test/contracts/notifiers.test.ts):
 * 1. What is reported as sent has arrived; its receipt names the message, where the receiver has a name for it.
 * 2. Whatever the receiver does is an answer (busy, blocked, refused), never an exception, and comes within the timeout of
 *    each request; it holds the message of the receiver.
 * 3. No text of a notice can do more than be read: no markup, no mention, no header, no control sequence comes of it.
 * 4. A notice of any size is cut to what the receiver takes.
 * 5. No secret is in a preview or a message; a preview is what would be sent, and sends nothing.
 * 6. What is not supported is declared: no update, reply or picture is requested that cannot be sent.
 */
export interface Notifier {
  readonly id: string;
  readonly title: string;
  open(place: NotifyPlace): NotifierConnection;
}

export interface NotifierAbilities {
  /** A message can be edited in place. */
  readonly updates: boolean;
  /** A message can reply to another. */
  readonly threads: boolean;
  readonly images: boolean;
}

/** The address and its credentials. A notifier reads the fields that it uses. */
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
  /** Depends on the credentials: a Slack webhook supports less than a token. */
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
  /** Settings have to be corrected first: credentials, the name of a channel. */
  | { readonly state: 'blocked'; readonly message: string }
  /** It will never take this one. */
  | { readonly state: 'refused'; readonly message: string }
  /** The message to be edited no longer exists. */
  | { readonly state: 'gone'; readonly message: string };

/** Sends ready-made messages to Slack; their text must have been escaped. */
export interface SlackTransport {
  /** With a token: messages can be changed and answered, and pictures put below them. */
  readonly hasToken: boolean;
  /** The receipt is "channel:timestamp" with a token, and absent with a webhook. */
  post(message: SlackMessage, signal: CancelSignal): Promise<Sent>;
  /** In the thread of a message. */
  upload(receipt: string, picture: NoticePicture, signal: CancelSignal): Promise<Sent>;
}

export interface SlackMessage {
  readonly text: string;
  readonly attachments?: readonly JsonObject[];
  /** Further fields, as `pretext` of the webhook era. */
  readonly more?: JsonObject;
  /** Receipt of a message that is replaced, or answered. */
  readonly replaces?: string;
  readonly answers?: string;
}
