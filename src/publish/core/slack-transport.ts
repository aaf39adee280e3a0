import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { NoticePicture, Sent } from './notifier.ts';

/** Messages to Slack as they are, for those who make their own; text in them must have been escaped. */
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
