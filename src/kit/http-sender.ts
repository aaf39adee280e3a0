import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { REFUSED_LINES_HEADER, refusedCount } from '../core/lines/refused-count.ts';
import type { Delivery } from '../core/ports/line-sink.ts';
import type { LineSender } from './line-sender.ts';

const BATCH_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
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
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;

  return {
    batchBytes: BATCH_BYTES,
    canRetry: true,
    lineBytes: Number.POSITIVE_INFINITY,
    send: (text) =>
      new Promise((resolve) => {
        const failed = (error: Error) =>
          resolve({ state: 'failed', message: error.message || String(error) });
        const sent = request(address, { method: 'POST', headers, timeout: TIMEOUT_MS }, (response) => {
          response.on('error', failed);
          readAnswer(response, lineCount(text), resolve);
        });
        sent.on('error', failed);
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
        if (!holds) sent.on('socket', (socket) => socket.unref());
        sent.end(text);
      }),
    prepare: () => {},
    isReady: false,
    sendNow: (_text, done) => done({ state: 'failed', message: 'HTTP cannot be sent without waiting' }),
    close: () => {},
  };
}

function readAnswer(response: IncomingMessage, sent: number, done: (delivery: Delivery) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    if (text.length < MOST_OF_ANSWER) text += piece;
  });
  response.on('end', () => {
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return done({ state: 'delivered' });
    const error = errorOf(text);
    const message = `${status} ${error || (response.statusMessage ?? '')}`.trim().slice(0, MOST_OF_MESSAGE);
    // The lines themselves are refused by these only; a missing database or token, or a busy server, may pass.
    if (![400, 413, 422].includes(status)) return done({ state: 'failed', message });
    const told = Number(response.headers[REFUSED_LINES_HEADER] ?? Number.NaN);
    const lines = Number.isInteger(told) ? Math.min(told, sent) : refusedCount(error, sent);
    done({ state: 'refused', message, lines });
  });
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
