import { excerpt, exchange, HttpFailure, httpUrl, shownUrl } from '../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Delivery, ForwardPlace } from '../../core/forward/forwarder.ts';

export interface Post {
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Accepted, or refused for ever with the message of the target; or a delivery for later. */
export type PostOutcome =
  | { readonly state: 'taken' }
  | { readonly state: 'refused'; readonly message: string }
  | Extract<Delivery, { state: 'later' }>;

const IDLE_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Others may be fixed at the target or by other credentials, and are kept for later. */
const NEVER: ReadonlySet<number> = new Set([400, 405, 411, 413, 414, 415, 422]);

/** One request; throws only for a bug. */
export async function post(request: Post, signal: CancelSignal): Promise<PostOutcome> {
  const shown = shownUrl(request.url);
  const limits = { idleMs: IDLE_MS, maxBytes: MAX_ANSWER_BYTES, isCut: true };
  try {
    const { status, text, retryAfterMs } = await exchange({ method: 'POST', ...request, ...limits, signal });
    if (status >= 200 && status < 300) return { state: 'taken' };
    const message = `${shown} answered ${status}${excerpt(text)}`;
    if (NEVER.has(status)) return { state: 'refused', message };
    return { state: 'later', message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return { state: 'later', message: `${shown} cannot be reached: ${error.message}` };
  }
}

/** The address with a path appended. It must hold no secret: addresses are in files and logs. */
export function addressOf({ url: text }: ForwardPlace, path: string): URL {
  const url = httpUrl(text);
  if (url === undefined) {
    throw new NightmarkError('FORWARD_BAD_ADDRESS', `Invalid http or https address: "${text}".`, {
      hint: 'For example: http://influx.example.org:8086',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new NightmarkError(
      'FORWARD_SECRET_IN_ADDRESS',
      `The address of ${url.host} has a user or a password.`,
      {
        hint: 'Name environment variables that hold them: user-env, password-env, token-env.',
      },
    );
  }
  if (path !== '') url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}
