import { exchange, type HttpText } from '../../platform/adapters/http.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { Delivery } from '../core/lines/line-sink.ts';
import { REFUSED_LINES_HEADER, refusedCount } from '../core/lines/refused-lines.ts';
import type { LineSender } from './line-sender.ts';

const BATCH_BYTES = 256 * 1024;
const IDLE_MS = 10_000;
/** An answer may list every line of a batch with what is wrong with it; more of one is not kept. */
const MOST_OF_ANSWER = 8 * BATCH_BYTES;
const MOST_OF_MESSAGE = 500;

/** What a sender over HTTP needs to know. */
export interface HttpTarget {
  /** http://HOST:PORT, with a path below which /write lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
  /** Keeps the process alive until the answer is there. */
  readonly holds?: boolean;
}

/** POST /write of InfluxDB 1.x for each batch. */
export function httpSender({ url, database, token, holds = false }: HttpTarget): LineSender {
  const address = new URL(`${url.replace(/\/+$/, '')}/write`);
  address.search = new URLSearchParams({ db: database, precision: 'ns' }).toString();
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const request = { method: 'POST', url: address, headers, holdsProcess: holds } as const;
  const limits = { idleMs: IDLE_MS, maxBytes: MOST_OF_ANSWER, isCut: true };

  return {
    batchBytes: BATCH_BYTES,
    canRetry: true,
    lineBytes: Number.POSITIVE_INFINITY,
    send: (text) =>
      exchange({ ...request, ...limits, body: text }).then(
        (answer) => deliveryOf(answer, lineCount(text)),
        (error: unknown) => ({ state: 'failed', message: messageOf(error) }),
      ),
    prepare: () => {},
    isReady: false,
    sendNow: (_text, done) => done({ state: 'failed', message: 'HTTP cannot be sent without waiting' }),
    close: () => {},
  };
}

function deliveryOf({ status, statusText, text, header }: HttpText, sent: number): Delivery {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  const error = errorOf(text);
  const message = `${status} ${error || statusText}`.trim().slice(0, MOST_OF_MESSAGE);
  // The lines themselves are refused by these only; a missing database or token, or a busy server, may pass.
  if (![400, 413, 422].includes(status)) return { state: 'failed', message };
  const told = Number(header(REFUSED_LINES_HEADER) ?? Number.NaN);
  const lines = Number.isInteger(told) ? Math.min(told, sent) : refusedCount(error, sent);
  return { state: 'refused', message, lines };
}

/** Lines end in a line feed; one within a text is no end, but texts are rare and this is a count for people. */
function lineCount(text: string): number {
  return text.split('\n').length - 1;
}

function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return text.slice(0, 200).trim();
  }
}
