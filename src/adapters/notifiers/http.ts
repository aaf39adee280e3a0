import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { messageOf } from '../../core/errors.ts';
import type { Sent } from '../../core/ports/notifier.ts';
import type { CancelSignal } from '../../core/signal.ts';
import { retryAfterMs } from '../../core/text/retry-after.ts';
import { visible } from '../../core/text/visible.ts';

export interface NoticeRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: URL;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the whole exchange: a receiver that sends a byte now and then is none. */
  readonly timeoutMs: number;
}

export interface NoticeAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs?: number;
}

/** A receiver that gave no answer. */
export type NoAnswer = Extract<Sent, { state: 'busy' }>;

const MOST_ANSWER_BYTES = 256 * 1024;

/** One request; never throws but for a bug. Messages name the host only: the rest of an address may be a secret. */
export async function ask(
  request: NoticeRequest,
  signal: CancelSignal,
): Promise<{ readonly answer: NoticeAnswer } | { readonly failure: NoAnswer }> {
  try {
    return { answer: await once(request, signal) };
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    const message = `${request.url.host} cannot be reached: ${messageOf(error) || code}`;
    return { failure: { state: 'busy', message } };
  }
}

/** What a status other than a success means. */
export function failureOf({ status, text, retryAfterMs: wait }: NoticeAnswer, who: string): Sent {
  const message = `${who} answered ${status}${saying(text)}`;
  if (status === 429 || status === 408 || status >= 500)
    return { state: 'busy', message, ...(wait !== undefined && { retryAfterMs: wait }) };
  return { state: [400, 413, 415, 422].includes(status) ? 'refused' : 'blocked', message };
}

/** The words of the receiver, cut and on one line. */
export function saying(text: string): string {
  const words = visible(text.replace(/\s+/g, ' ').trim());
  return words === '' ? '' : `: ${words.slice(0, 300)}`;
}

function once(
  { method, url, body, headers, timeoutMs }: NoticeRequest,
  signal: CancelSignal,
): Promise<NoticeAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('interrupted'));
    const options: RequestOptions = {
      method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const take = (answer: IncomingMessage) => void readAnswer(answer).then(resolve, reject);
    const sent = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options, take);
    const stop = () => sent.destroy(new Error('interrupted'));
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    signal.addEventListener('abort', stop, { once: true });
    sent.on('error', reject);
    sent.on('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
    sent.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<NoticeAnswer> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    if (text.length < MOST_ANSWER_BYTES) text += piece;
  }
  const wait = retryAfterMs(answer.headers['retry-after'], Date.now());
  return { status: answer.statusCode ?? 0, text, ...(wait !== undefined && { retryAfterMs: wait }) };
}
