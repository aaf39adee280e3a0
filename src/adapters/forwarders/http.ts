import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { messageOf, NightmarkError } from '../../core/errors.ts';
import type { Delivery, ForwardPlace } from '../../core/ports/forwarder.ts';
import type { CancelSignal } from '../../core/signal.ts';
import { retryAfterMs } from '../../core/text/retry-after.ts';

export interface Post {
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Taken, or the target's words why it will never be; or a delivery for later. */
export type PostOutcome =
  | { readonly state: 'taken' }
  | { readonly state: 'refused'; readonly message: string }
  | Extract<Delivery, { state: 'later' }>;

const SILENCE_MS = 30_000;
const MOST_ANSWER_BYTES = 64 * 1024;
/** What a change at the target or of our credentials may heal is kept for later. */
const NEVER: ReadonlySet<number> = new Set([400, 405, 411, 413, 414, 415, 422]);

/** One request; never throws but for a bug. */
export async function post(request: Post, signal: CancelSignal): Promise<PostOutcome> {
  const shown = `${request.url.origin}${request.url.pathname}`;
  try {
    const { status, text, retryAfter } = await once(request, signal);
    if (status >= 200 && status < 300) return { state: 'taken' };
    const message = `${shown} answered ${status}${saying(text)}`;
    if (NEVER.has(status)) return { state: 'refused', message };
    return { state: 'later', message, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) };
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    return { state: 'later', message: `${shown} cannot be reached: ${messageOf(error) || code}` };
  }
}

/** The address with a path behind it. It must hold no secret: addresses are in files and logs. */
export function addressOf({ url: text }: ForwardPlace, path: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new NightmarkError('FORWARD_BAD_ADDRESS', `"${text}" is no http or https address.`, {
      hint: 'For example: http://influx.example.org:8086',
    });
  }
  const url = new URL(text);
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

export function authorization({ secrets }: ForwardPlace, scheme: string): Record<string, string> {
  const { user, password = '', token } = secrets;
  if (token !== undefined) return { authorization: `${scheme} ${token}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: number;
}

function once({ url, body, headers }: Post, signal: CancelSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('interrupted'));
    const options: RequestOptions = {
      method: 'POST',
      timeout: SILENCE_MS,
      headers: { ...headers, 'content-length': String(body.length) },
    };
    const take = (answer: IncomingMessage) => void readAnswer(answer).then(resolve, reject);
    const sent = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options, take);
    const stop = () => sent.destroy(new Error('interrupted'));
    signal.addEventListener('abort', stop, { once: true });
    sent.on('timeout', () => sent.destroy(new Error(`no byte for ${SILENCE_MS / 1000} seconds`)));
    sent.on('error', reject);
    sent.on('close', () => signal.removeEventListener('abort', stop));
    sent.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    if (text.length < MOST_ANSWER_BYTES) text += piece;
  }
  const retryAfter = retryAfterMs(answer.headers['retry-after'], Date.now());
  return { status: answer.statusCode ?? 0, text, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The words of the server, cut and on one line. */
function saying(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words === '' ? '' : `: ${words.slice(0, 300)}`;
}
