import { excerpt, exchange, HttpFailure, type HttpText, httpUrl } from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Sent } from '../../core/notices/notifier.ts';

export interface NoticeRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: URL;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the whole exchange: a receiver may send a byte now and then without end. */
  readonly timeoutMs: number;
}

/** A receiver that did not answer. */
export type NoAnswer = Extract<Sent, { state: 'busy' }>;

const MAX_ANSWER_BYTES = 256 * 1024;

/** Sends one request; throws only for a bug. Messages name the host only: the rest of an address may be a secret. */
export async function sendRequest(
  { timeoutMs: totalMs, ...request }: NoticeRequest,
  signal: CancelSignal,
): Promise<{ readonly answer: HttpText } | { readonly failure: NoAnswer }> {
  const limits = { totalMs, maxBytes: MAX_ANSWER_BYTES, isCut: true };
  try {
    return { answer: await exchange({ ...request, ...limits, signal }) };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const message = `${request.url.host} cannot be reached: ${error.message}`;
    return { failure: { state: 'busy', message } };
  }
}

/** What a status other than success means for the message. */
export function statusFailure({ status, text, retryAfterMs }: HttpText, who: string): Sent {
  const message = `${who} answered ${status}${excerpt(text)}`;
  if (status === 429 || status === 408 || status >= 500)
    return { state: 'busy', message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { state: [400, 413, 415, 422].includes(status) ? 'refused' : 'blocked', message };
}

/** Parses an http or https address. The error does not show it, because it may be a secret. */
export function httpAddress(text: string, what: string): URL {
  const url = httpUrl(text);
  if (url !== undefined) return url;
  throw new NightmarkError('NOTIFY_BAD_ADDRESS', `${what} is not an http or https address.`, {
    hint: 'It begins with https:// and names a host.',
  });
}
